import { X } from 'lucide-react'
import { cn } from '@/lib/cn'
import type { Message } from '@/template/types'
import { IconButton } from '@/ui/button'
import { setTalk } from '../model/session'
import type { ColumnProps } from './column-props'
import { Contents } from './output'

const looks: Partial<Record<Message['role'], string>> = { user: 'border-l-info', assistant: 'border-l-accent' }
const inks: Partial<Record<Message['role'], string>> = { user: 'text-info', assistant: 'text-accent-ink' }

/** The messages between those of the prompt and the latest answer. */
export function Talk({ column, playground: { change, answers } }: Pick<ColumnProps, 'column' | 'playground'>) {
  if (column.talk.length === 0) return null
  const cut = (index: number) => {
    answers.clear(column.id)
    change((old) => setTalk(old, column.id, column.talk.slice(0, index)))
  }
  return (
    <ol aria-label="Conversation" className="flex flex-col gap-2">
      {column.talk.map((message, index) => (
        <li key={index} className={cn('rounded-lg border border-l-[3px] border-line bg-surface', looks[message.role])}>
          <div className="flex h-7 items-center gap-2 px-3 pt-1 text-xs">
            <span className={cn('font-semibold', inks[message.role] ?? 'text-dim')}>{message.role === 'tool' ? 'tool result' : message.role}</span>
            {message.role === 'user' && <IconButton small label="Remove this message and everything after it" className="ml-auto size-6" onClick={() => cut(Math.max(0, beforeTurn(column.talk, index)))}><X /></IconButton>}
          </div>
          <div className="flex flex-col gap-2 px-3 pb-2.5"><Contents message={message} /></div>
        </li>
      ))}
    </ol>
  )
}

/** The start of a turn: the model's answer before the user message. */
function beforeTurn(talk: Message[], index: number): number {
  let start = index
  while (start > 0 && talk[start - 1]?.role !== 'user') start--
  return start
}
