import { Plus } from 'lucide-react'
import { useMemo } from 'react'
import { inserted, moved, replaced, useKeys, without } from '@/lib/lists'
import { Button } from '@/ui/button'
import { Menu, MenuItem } from '@/ui/menu'
import { newMessage, roles, type Message, type Role } from '../types'
import { templateVariables } from '../variables'
import { MessageCard } from './message-card'

/** The messages of a chat template. */
export function MessagesEditor({ value, onChange, readOnly }: { value: Message[]; onChange: (value: Message[]) => void; readOnly?: boolean }) {
  const keys = useKeys(value.length)
  const variables = useMemo(() => templateVariables({ type: 'chat', messages: value }), [value])
  // A new message uses the format of the others.
  const format = value.at(-1)?.template_format ?? 'f-string'
  const add = (role: Role) => onChange([...value, newMessage(role, format)])
  return (
    <div className="flex flex-col gap-2.5">
      <ol aria-label="Messages" className="flex flex-col gap-2.5">
        {value.map((message, index) => (
          <li key={keys.at(index)}>
            <MessageCard
              value={message}
              position={index}
              count={value.length}
              variables={variables}
              readOnly={readOnly}
              onChange={(changed) => onChange(replaced(value, index, changed))}
              onMove={(to) => {
                keys.move(index, to)
                onChange(moved(value, index, to))
              }}
              onDuplicate={() => {
                keys.insert(index + 1)
                onChange(inserted(value, index + 1, structuredClone(message)))
              }}
              onRemove={() => {
                keys.remove(index)
                onChange(without(value, index))
              }}
            />
          </li>
        ))}
      </ol>
      {value.length === 0 && <p className="rounded-md border border-dashed border-line-strong p-4 text-center text-dim">No messages yet. Add one below.</p>}
      {!readOnly && (
        <div className="flex gap-2">
          <Button small onClick={() => add(value.at(-1)?.role === 'user' ? 'assistant' : 'user')}>
            <Plus /> Add message
          </Button>
          <Menu align="start" trigger={<Button small look="quiet">Other role</Button>}>
            {roles.map((role) => (
              <MenuItem key={role} onSelect={() => add(role)}>{role}</MenuItem>
            ))}
          </Menu>
        </div>
      )}
    </div>
  )
}
