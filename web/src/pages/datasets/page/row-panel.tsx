import { useBlocker } from '@tanstack/react-router'
import { Pencil } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { FullValue, RecordPanel } from '@/dataset/record-panel'
import { editable, kindOf, readTyped, type Kind } from '@/dataset/value'
import { cn } from '@/lib/cn'
import { useUnsaved } from '@/lib/unsaved'
import { Button, IconButton } from '@/ui/button'
import { CodeEditor } from '@/ui/code'
import { CopyButton } from '@/ui/copy'
import { useConfirm } from '@/ui/dialog'
import { Select, Textarea } from '@/ui/field'
import { Loading } from '@/ui/page'
import type { Row } from './use-rows'

/** All values of a row in full. Arrow keys go to the next and previous rows. */
export function RowPanel({ index, total, row, columns, column, onIndex, onClose, onSet }: {
  index: number
  total: number
  row: Row | undefined
  columns: string[]
  /** The clicked column, which is shown first. */
  column: number | null
  onIndex: (index: number) => void
  onClose: () => void
  /** Set for drafts. */
  onSet?: (row: string, column: string, value: unknown) => void
}) {
  return (
    <RecordPanel index={index} total={total} onIndex={onIndex} onClose={onClose}>
      {row === undefined ? (
        <Loading />
      ) : (
        columns.map((name, at) => (
          <Value
            key={`${row.id ?? index} ${name}`}
            name={name}
            value={row.values[at]}
            shownFirst={at === column}
            onSet={onSet && row.id !== undefined ? (value) => onSet(row.id ?? '', name, value) : undefined}
          />
        ))
      )}
    </RecordPanel>
  )
}

function Value({ name, value, shownFirst, onSet }: { name: string; value: unknown; shownFirst: boolean; onSet?: (value: unknown) => void }) {
  const box = useRef<HTMLElement>(null)
  const [editing, setEditing] = useState(false)
  useEffect(() => {
    if (shownFirst) box.current?.scrollIntoView({ block: 'nearest' })
  }, [shownFirst])
  return (
    <section ref={box} className={cn('border-b border-line px-4 py-2.5', shownFirst && 'bg-accent-soft/40')}>
      <div className="mb-1 flex min-h-7 items-center gap-1">
        <h3 className="mr-auto truncate text-xs font-medium text-faint">{name}</h3>
        {onSet && !editing && <IconButton small label={`Edit ${name}`} onClick={() => setEditing(true)}><Pencil /></IconButton>}
        {value !== null && value !== undefined && value !== '' && <CopyButton label={`Copy ${name}`} text={() => editable(value, kindOf(value))} />}
      </div>
      {editing && onSet ? (
        <ValueEditor name={name} value={value} onCancel={() => setEditing(false)} onSave={(next) => (onSet(next), setEditing(false))} />
      ) : (
        <FullValue value={value} />
      )}
    </section>
  )
}

function ValueEditor({ name, value, onSave, onCancel }: { name: string; value: unknown; onSave: (value: unknown) => void; onCancel: () => void }) {
  const [kind, setKind] = useState<Kind>(() => kindOf(value))
  const [text, setText] = useState(() => editable(value, kind))
  const [wrong, setWrong] = useState<string | null>(null)
  const confirm = useConfirm()
  const dirty = text !== editable(value, kind)
  useUnsaved(dirty)
  useBlocker({
    shouldBlockFn: async () => dirty && !(await confirm({ title: 'Leave without saving?', body: `Your changes to ${name} will be lost.`, action: 'Leave', danger: true })),
    enableBeforeUnload: dirty,
  })
  const save = () => {
    try {
      onSave(readTyped(text, kind))
    } catch (error) {
      setWrong(error instanceof Error ? error.message : String(error))
    }
  }
  return (
    <div className="flex flex-col gap-2">
      {kind === 'json' ? (
        <CodeEditor label={`${name} as JSON`} language="json" value={text} onChange={setText} />
      ) : (
        <Textarea aria-label={name} autoFocus rows={Math.min(Math.max(text.split('\n').length + 1, 3), 16)} value={text} onChange={(event) => setText(event.target.value)} />
      )}
      {wrong && <p role="alert" className="text-[13px] text-bad">{wrong}</p>}
      <div className="flex items-center gap-2">
        <Select aria-label="Value type" value={kind} onChange={(event) => setKind(event.target.value as Kind)}>
          <option value="text">Text</option>
          <option value="json">JSON</option>
        </Select>
        <Button small className="ml-auto" onClick={onCancel}>Cancel</Button>
        <Button small look="primary" onClick={save}>Save</Button>
      </div>
    </div>
  )
}
