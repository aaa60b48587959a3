import { ArrowDown, ArrowUp, Copy, Ellipsis, Trash2, Wrench } from 'lucide-react'
import { cn } from '@/lib/cn'
import { IconButton } from '@/ui/button'
import { Field, Input, Select } from '@/ui/field'
import { Menu, MenuItem, MenuLabel, MenuSeparator } from '@/ui/menu'
import { roles, text, withRole, type Message, type Role, type TemplateFormat } from '../types'
import { ContentEditor } from './content-editor'
import { ToolCalls } from './tool-calls'

const roleColours: Record<Role, string> = {
  system: 'text-violet', developer: 'text-violet', user: 'text-info', assistant: 'text-good', tool: 'text-warn', function: 'text-warn', placeholder: 'text-dim',
}

interface CardProps {
  value: Message
  position: number
  count: number
  variables: string[]
  readOnly?: boolean
  onChange: (value: Message) => void
  onMove: (to: number) => void
  onDuplicate: () => void
  onRemove: () => void
}

/** One message: its role, the fields of the role, and its content. */
export function MessageCard({ value, position, count, variables, readOnly, onChange, onMove, onDuplicate, onRemove }: CardProps) {
  const format = value.template_format ?? 'f-string'
  const label = `${value.role} message ${position + 1}`
  return (
    <section aria-label={label} className="rounded-lg border border-line bg-surface">
      <header className="flex flex-wrap items-center gap-1 px-2 pt-1.5">
        <Select
          aria-label={`Role of message ${position + 1}`}
          disabled={readOnly}
          value={value.role}
          onChange={(event) => onChange(withRole(value, event.target.value as Role))}
          className={cn('h-7 border-transparent bg-transparent px-1 text-[13px] font-semibold hover:border-line-strong disabled:opacity-100', roleColours[value.role])}
        >
          {[...new Set([...roles, value.role])].map((role) => <option key={role} value={role}>{role}</option>)}
        </Select>
        <NamedMembers value={value} onChange={onChange} readOnly={readOnly} />
        <span className="ml-auto flex items-center">
          {format === 'jinja2' && <span className="px-1.5 text-xs text-faint">jinja2</span>}
          {!readOnly && (
            <>
              <IconButton small label={`Move ${label} up`} disabled={position === 0} onClick={() => onMove(position - 1)}><ArrowUp /></IconButton>
              <IconButton small label={`Move ${label} down`} disabled={position === count - 1} onClick={() => onMove(position + 1)}><ArrowDown /></IconButton>
              <CardMenu value={value} label={label} onChange={onChange} onDuplicate={onDuplicate} onRemove={onRemove} />
            </>
          )}
        </span>
      </header>
      <div className="px-2 pt-1 pb-2">
        {value.role === 'placeholder' ? (
          <p className="px-1 pb-1 text-[13px] text-dim">Replaced at run time by the messages in the variable with this name.</p>
        ) : (
          <ContentEditor value={value.content ?? []} onChange={(content) => onChange({ ...value, content })} format={format} label={label} variables={variables} readOnly={readOnly} placeholder={hint(format)} />
        )}
        {value.role === 'assistant' && (value.tool_calls ?? []).length > 0 && (
          <ToolCalls value={value.tool_calls ?? []} onChange={(calls) => onChange({ ...value, tool_calls: calls.length > 0 ? calls : null })} label={label} readOnly={readOnly} />
        )}
      </div>
    </section>
  )
}

function hint(format: TemplateFormat): string {
  return format === 'jinja2' ? 'Enter text. Use {{ name }} for a variable and @@@ for a snippet.' : 'Enter text. Use {name} for a variable and @@@ for a snippet.'
}

/** The fields of a role besides the content: a name, or the id of a tool call. */
function NamedMembers({ value, onChange, readOnly }: Pick<CardProps, 'value' | 'onChange' | 'readOnly'>) {
  const needsName = value.role === 'function' || value.role === 'placeholder'
  const hasName = needsName || Boolean(value.name)
  return (
    <>
      {hasName && (
        <Field label="Name" className="flex-row items-center gap-1.5">
          {(control) => <Input {...control} aria-invalid={needsName && !value.name} readOnly={readOnly} className="h-7 w-36" value={value.name ?? ''} onChange={(event) => onChange({ ...value, name: event.target.value || (needsName ? '' : null) })} />}
        </Field>
      )}
      {value.role === 'tool' && (
        <Field label="Tool call ID" className="flex-row items-center gap-1.5">
          {(control) => <Input {...control} readOnly={readOnly} className="h-7 w-40 font-mono text-xs" value={text(value.tool_call_id)} onChange={(event) => onChange({ ...value, tool_call_id: event.target.value })} />}
        </Field>
      )}
    </>
  )
}

function CardMenu({ value, label, onChange, onDuplicate, onRemove }: Pick<CardProps, 'value' | 'onChange' | 'onDuplicate' | 'onRemove'> & { label: string }) {
  const format = value.template_format ?? 'f-string'
  const other: TemplateFormat = format === 'jinja2' ? 'f-string' : 'jinja2'
  const calls = value.tool_calls ?? []
  return (
    <Menu trigger={<IconButton small label={`Actions for ${label}`}><Ellipsis /></IconButton>}>
      <MenuItem onSelect={onDuplicate}><Copy /> Duplicate</MenuItem>
      {value.role === 'assistant' && (
        <MenuItem onSelect={() => onChange({ ...value, tool_calls: [...calls, { id: `call_${calls.length + 1}`, type: 'function', function: { name: '', arguments: '{}' } }] })}><Wrench /> Add tool call</MenuItem>
      )}
      {!value.name && value.role !== 'placeholder' && value.role !== 'function' && <MenuItem onSelect={() => onChange({ ...value, name: 'name' })}>Add name</MenuItem>}
      <MenuSeparator />
      <MenuLabel>Format: {format}</MenuLabel>
      <MenuItem onSelect={() => onChange({ ...value, template_format: other })}>Switch to {other}</MenuItem>
      <MenuSeparator />
      <MenuItem danger onSelect={onRemove}><Trash2 /> Remove</MenuItem>
    </Menu>
  )
}
