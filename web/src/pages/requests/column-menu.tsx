import { ArrowDown, ArrowUp, Columns3, GripVertical, Plus, RotateCcw, X } from 'lucide-react'
import { useState } from 'react'
import { Button, IconButton } from '@/ui/button'
import { Popover } from '@/ui/menu'
import { findField } from '@/query/fields'
import type { QueryState } from '@/query/state'
import { SuggestInput } from '@/query/suggest-input'
import { useKeys } from '@/query/suggestions'
import { columns, columnsOf, defaultColumns } from './columns'

/** Selects and orders the columns. */
export function ColumnMenu({ ids, onChange, context }: { ids: string[]; onChange: (ids: string[] | null) => void; context: QueryState }) {
  const shown = columnsOf(ids)
  const hidden = columns.filter(({ id }) => !ids.includes(id))
  const move = (id: string, to: number) => {
    const rest = shown.map((column) => column.id).filter((other) => other !== id)
    onChange([...rest.slice(0, to), id, ...rest.slice(to)])
  }
  return (
    <Popover align="end" label="Columns" className="flex max-h-[75dvh] w-72 flex-col gap-2 overflow-auto" trigger={<Button small title="Choose columns"><Columns3 /> <span className="max-sm:sr-only">Columns</span></Button>}>
      <div className="flex items-center justify-between">
        <h2 className="text-[13px] font-semibold">Visible columns</h2>
        <Button small look="quiet" onClick={() => onChange(null)} disabled={ids.join() === defaultColumns.join()}><RotateCcw /> Reset</Button>
      </div>
      <ul className="flex flex-col">
        {shown.map((column, index) => (
          <li
            key={column.id}
            draggable
            onDragStart={(event) => event.dataTransfer.setData('text/column', column.id)}
            onDragOver={(event) => event.preventDefault()}
            onDrop={(event) => move(event.dataTransfer.getData('text/column'), index)}
            className="flex h-7 items-center gap-1 rounded hover:bg-hover"
          >
            <GripVertical aria-hidden className="size-3.5 cursor-grab text-faint" />
            <span className="min-w-0 flex-1 truncate">{column.about ?? column.header}</span>
            <IconButton small className="size-6" label={`Move ${column.header} up`} disabled={index === 0} onClick={() => move(column.id, index - 1)}><ArrowUp /></IconButton>
            <IconButton small className="size-6" label={`Move ${column.header} down`} disabled={index === shown.length - 1} onClick={() => move(column.id, index + 1)}><ArrowDown /></IconButton>
            <IconButton small className="size-6" label={`Hide ${column.header}`} disabled={shown.length === 1} onClick={() => onChange(ids.filter((id) => id !== column.id))}><X /></IconButton>
          </li>
        ))}
      </ul>
      <h2 className="border-t border-line pt-2 text-[13px] font-semibold">Add column</h2>
      <KeyColumn label="Metadata key" field="metadata" context={context} onAdd={(key) => onChange([...ids, `metadata.${key}`])} />
      <KeyColumn label="Score name" field="score" context={context} onAdd={(name) => onChange([...ids, `score.${name}`])} />
      <ul className="flex flex-col">
        {hidden.map((column) => (
          <li key={column.id}>
            <button type="button" className="flex w-full items-center gap-2 rounded px-1.5 py-1 text-left hover:bg-hover" onClick={() => onChange([...ids, column.id])}>
              <Plus aria-hidden className="size-3.5 text-faint" /> {column.about ?? column.header}
            </button>
          </li>
        ))}
      </ul>
    </Popover>
  )
}

/** Adds a column with the values under a key. */
function KeyColumn({ label, field, context, onAdd }: { label: string; field: 'metadata' | 'score'; context: QueryState; onAdd: (key: string) => void }) {
  const [key, setKey] = useState('')
  const [open, setOpen] = useState(false)
  const options = useKeys(findField(field, true), key, { ...context, q: undefined }, open)
  const add = (name: string) => {
    if (name.trim() === '') return
    onAdd(name.trim())
    setKey('')
  }
  return (
    <div className="flex gap-1">
      <SuggestInput label={label} placeholder={label} value={key} onChange={setKey} options={options} open={open} onOpenChange={setOpen} onEnter={() => add(key)} />
      <Button aria-label={`Add column of ${label.toLowerCase()}`} disabled={key.trim() === ''} onClick={() => add(key)}>Add</Button>
    </div>
  )
}
