import { useState } from 'react'
import { cn } from '@/lib/cn'
import { messageText, type Blueprint, type Message } from './blueprint'
import { Brief, CallView, ContentView, CopyText, Folded } from './content'
import { TextViewChoice } from './text-view-choice'

const looks: Record<string, string> = {
  system: 'border-l-violet', developer: 'border-l-violet', user: 'border-l-info', assistant: 'border-l-accent', completion: 'border-l-accent', tool: 'border-l-line-strong', function: 'border-l-line-strong',
}
const inks: Record<string, string> = { system: 'text-violet', developer: 'text-violet', user: 'text-info', assistant: 'text-accent-ink', completion: 'text-accent-ink' }

/** Longer conversations show only their first and last messages at first. */
const shownAtOnce = 30

/** The messages in order. */
export function Conversation({ blueprint, choice = true }: { blueprint: Blueprint; /** Whether to offer the choice between Markdown and raw texts. */ choice?: boolean }) {
  const { messages, tools } = blueprint
  const [all, setAll] = useState(false)
  const skipped = all || messages.length <= shownAtOnce ? 0 : messages.length - shownAtOnce
  const answer = messages.findLastIndex(({ role }) => role === 'assistant')
  return (
    <div className="flex flex-col gap-2.5">
      {choice && messages.length > 0 && <div className="flex justify-end"><TextViewChoice /></div>}
      {tools.length > 0 && (
        <Folded summary={<>{tools.length} {tools.length === 1 ? 'tool' : 'tools'} available <Brief text={tools.map(({ name }) => name).join(', ')} /></>}>
          <ul className="flex flex-col gap-2">
            {tools.map((tool) => (
              <li key={tool.name} className="text-[13px]">
                <span className="font-mono font-medium">{tool.name}</span> <span className="text-dim">{tool.description}</span>
                <Folded summary="Parameters"><ContentView content={{ kind: 'text', text: JSON.stringify(tool.parameters ?? {}) }} /></Folded>
              </li>
            ))}
          </ul>
        </Folded>
      )}
      {messages.length === 0 && <p className="text-faint">No messages logged.</p>}
      {messages.map((message, index) => {
        if (skipped > 0 && index >= 4 && index < 4 + skipped) {
          return index === 4 && (
            <button key={index} type="button" className="rounded-md border border-dashed border-line-strong py-1.5 text-dim hover:bg-hover" onClick={() => setAll(true)}>
              Show {skipped} more messages
            </button>
          )
        }
        return <MessageView key={index} message={message} before={messages.slice(0, index)} isAnswer={index === answer && index === messages.length - 1} />
      })}
    </div>
  )
}

function MessageView({ message, before, isAnswer }: { message: Message; before: Message[]; isAnswer: boolean }) {
  const text = messageText(message)
  const result = message.role === 'tool' || message.role === 'function'
  const called = message.answers === undefined ? message.name : (before.flatMap((other) => other.calls).findLast(({ id }) => id === message.answers)?.name ?? message.name)
  return (
    <article className={cn('group/message rounded-md border border-l-[3px] border-line bg-surface', looks[message.role], isAnswer && 'bg-accent-soft/30')}>
      <header className="flex h-7 items-center gap-2 px-3 pt-1 text-xs">
        <h3 className={cn('font-semibold', inks[message.role] ?? 'text-dim')}>{result ? 'tool result' : message.role}</h3>
        {called !== undefined && <span className="font-mono text-faint">{called}</span>}
        {isAnswer && <span className="text-faint">answer</span>}
        {text !== '' && <span className="ml-auto opacity-0 pointer-coarse:opacity-100 group-focus-within/message:opacity-100 group-hover/message:opacity-100"><CopyText text={text} what="this message" /></span>}
      </header>
      <div className="flex flex-col gap-2 px-3 pb-2.5">
        {result && text.length > 0 ? <Folded summary={<Brief text={text} />}><Contents message={message} /></Folded> : <Contents message={message} />}
        {message.calls.map((call, index) => <CallView key={index} call={call} />)}
        {message.content.length === 0 && message.calls.length === 0 && <span className="text-faint">Empty</span>}
      </div>
    </article>
  )
}

function Contents({ message }: { message: Message }) {
  return message.content.map((content, index) => <ContentView key={index} content={content} />)
}
