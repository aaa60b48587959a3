import { ListFilter, Pencil, Plus, X } from 'lucide-react'
import { useState } from 'react'
import { useMay } from '@/api/session'
import { Section } from '@/request/content'
import type { RequestItem } from '@/request/data'
import { Button, IconButton } from '@/ui/button'
import { Input } from '@/ui/field'
import { metadataOf } from '../log-query'
import { typedValue, useMetadataChange, useMetadataRemoval, valueText } from './edits'
import { useHandBack } from './hand-back'

/** The metadata, which can be edited and filtered by. */
export function Metadata({ item, onFilter }: { item: RequestItem; onFilter: (key: string, value: string) => void }) {
  const metadata = metadataOf(item)
  const may = useMay('METADATA_EDIT')
  const [editing, setEditing] = useState<string | null>(null)
  const section = useHandBack(editing)
  const change = useMetadataChange(item)
  const removal = useMetadataRemoval(item)
  const save = (key: string, text: string) => change.mutate({ [key]: typedValue(text) }, { onSuccess: () => setEditing(null) })
  return (
    <Section
      ref={section}
      title="Metadata"
      actions={<Button data-edits="" small look="quiet" disabled={!may} title={may ? undefined : 'Your role does not allow you to edit metadata'} onClick={() => setEditing('')}><Plus /> Add</Button>}
    >
      {Object.keys(metadata).length === 0 && editing !== '' && <p className="text-faint">No metadata yet. Add a key such as <code className="font-mono">reviewed</code> to find this request later.</p>}
      {(Object.keys(metadata).length > 0 || editing === '') && (
        <table className="w-full table-fixed text-[13px]">
          <thead className="sr-only"><tr><th scope="col">Key</th><th scope="col">Value</th><th scope="col">Actions</th></tr></thead>
          <tbody className="divide-y divide-line border-y border-line">
            {Object.entries(metadata).map(([key, value]) => (
              <tr key={key} className="group/row">
                <th scope="row" className="w-2/5 truncate py-1 pr-2 text-left align-top font-normal text-dim" title={key}>{key}</th>
                {editing === key ? (
                  <td colSpan={2} className="py-1"><ValueForm label={`Value of ${key}`} value={valueText(value)} busy={change.isPending} onSave={(text) => save(key, text)} onCancel={() => setEditing(null)} /></td>
                ) : (
                  <>
                    <td className="py-1 font-mono text-xs leading-5 break-words whitespace-pre-wrap">{valueText(value)}</td>
                    <td className="w-20 text-right align-top opacity-0 group-focus-within/row:opacity-100 group-hover/row:opacity-100 max-md:opacity-100">
                      {typeof value !== 'object' && <IconButton small className="size-6" label={`Filter by ${key}`} onClick={() => onFilter(key, String(value))}><ListFilter /></IconButton>}
                      <IconButton data-edits={key} small className="size-6" label={`Edit ${key}`} disabled={!may} onClick={() => setEditing(key)}><Pencil /></IconButton>
                      <IconButton small className="size-6" label={`Remove ${key}`} disabled={!may || removal.isPending} onClick={() => removal.mutate(key)}><X /></IconButton>
                    </td>
                  </>
                )}
              </tr>
            ))}
            {editing === '' && <tr><td colSpan={3} className="py-1.5"><NewKey busy={change.isPending} onSave={save} onCancel={() => setEditing(null)} /></td></tr>}
          </tbody>
        </table>
      )}
    </Section>
  )
}

function NewKey({ busy, onSave, onCancel }: { busy: boolean; onSave: (key: string, text: string) => void; onCancel: () => void }) {
  const [key, setKey] = useState('')
  return (
    <div className="flex gap-2" onKeyDown={(event) => event.key === 'Escape' && onCancel()}>
      <Input aria-label="Key" placeholder="key" autoFocus className="w-2/5" maxLength={1024} value={key} onChange={(event) => setKey(event.target.value)} />
      <ValueForm label="Value" value="" busy={busy} disabled={key.trim() === ''} onSave={(text) => onSave(key.trim(), text)} onCancel={onCancel} />
    </div>
  )
}

function ValueForm({ label, value, busy, disabled, onSave, onCancel }: { label: string; value: string; busy: boolean; disabled?: boolean; onSave: (text: string) => void; onCancel: () => void }) {
  const [text, setText] = useState(value)
  return (
    <form
      className="flex min-w-0 flex-1 gap-1.5"
      onSubmit={(event) => {
        event.preventDefault()
        if (disabled !== true) onSave(text)
      }}
      onKeyDown={(event) => event.key === 'Escape' && onCancel()}
    >
      <Input aria-label={label} placeholder="value" autoFocus={value !== ''} className="font-mono text-xs" value={text} onChange={(event) => setText(event.target.value)} />
      <Button type="submit" look="primary" busy={busy} disabled={disabled}>Save</Button>
      <Button onClick={onCancel}>Cancel</Button>
    </form>
  )
}
