import type { UseMutationResult } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Columns3, Plus, Save, ScrollText, Trash2 } from 'lucide-react'
import { useState, type FormEvent } from 'react'
import type { Schemas } from '@/api/client'
import { useSession } from '@/api/session'
import { Button, buttonClass } from '@/ui/button'
import { useConfirm } from '@/ui/dialog'
import { Input } from '@/ui/field'
import { Popover } from '@/ui/menu'
import { useToast } from '@/ui/toast'
import { useSaveDraft } from '../actions'

type Change = UseMutationResult<Schemas['ChangedDraftResponse'], unknown, Omit<Schemas['ChangeDraftRowsRequest'], 'dataset_group_id'>>

// What one call changes at most.
const mostChanges = 1000

/** What can be done with a draft: rows and columns are added, rows are deleted, and it becomes a version. */
export function DraftBar({ group, columns, total, chosen, onChosen, change, onAdded, onShow }: {
  group: number
  columns: string[]
  total: number
  chosen: Set<string>
  onChosen: (chosen: Set<string>) => void
  change: Change
  onAdded: (index: number) => void
  onShow: (dataset: number) => void
}) {
  const { workspace_id } = useSession()
  const confirm = useConfirm()
  const toast = useToast()
  const save = useSaveDraft(group)
  const remove = async () => {
    const ids = [...chosen]
    const words = ids.length === 1 ? 'one row' : `${ids.length} rows`
    if (ids.length > mostChanges) return toast.failed(`At most ${mostChanges} rows can be deleted at once.`)
    if (!(await confirm({ title: `Delete ${words}?`, body: `The draft loses ${words}. Versions that were saved keep them.`, action: 'Delete', danger: true }))) return
    onChosen(new Set())
    change.mutate({ delete: ids }, { onSuccess: () => toast.done(ids.length === 1 ? 'The row was deleted' : `${ids.length} rows were deleted`) })
  }
  const saveDraft = async () => {
    const words = total === 1 ? 'one row' : `${total.toLocaleString('en-US')} rows`
    if (!(await confirm({ title: 'Save as a version?', body: `The draft with ${words} becomes a version, which cannot be changed any more.`, action: 'Save as version' }))) return
    save.mutate(undefined, {
      onSuccess: (dataset) => {
        toast.done('The draft is a version now')
        onShow(dataset)
      },
    })
  }
  return (
    <div className="flex flex-wrap items-center gap-2 border-b border-line bg-warn-soft/40 px-4 py-1.5">
      <Button small busy={change.isPending && change.variables.add !== undefined} disabled={columns.length === 0} title={columns.length === 0 ? 'Add a column first' : undefined} onClick={() => change.mutate({ add: [{}] }, { onSuccess: (answer) => onAdded(answer.total - 1) })}>
        <Plus /> Row
      </Button>
      <AddColumn taken={columns} onAdd={(name) => change.mutate({ add_columns: [name] }, { onSuccess: () => toast.done(`Column ${name} was added`) })} />
      <Link to="/$workspace/requests" params={{ workspace: String(workspace_id) }} search={{}} title="Open a logged request there and add it to this dataset" className={buttonClass('plain', true)}><ScrollText /> From requests</Link>
      {chosen.size > 0 && <Button small look="danger" onClick={() => void remove()}><Trash2 /> Delete {chosen.size === 1 ? '1 row' : `${chosen.size} rows`}</Button>}
      <p className="hidden text-[13px] text-dim lg:block">Double click a cell, or press Enter, to change it. Changes are kept at once.</p>
      <Button small look="primary" className="ml-auto" busy={save.isPending} onClick={() => void saveDraft()}><Save /> Save as version</Button>
    </div>
  )
}

function AddColumn({ taken, onAdd }: { taken: string[]; onAdd: (name: string) => void }) {
  const [open, setOpen] = useState(false)
  const [name, setName] = useState('')
  const known = taken.includes(name.trim())
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (name.trim() === '' || known) return
    onAdd(name.trim())
    setName('')
    setOpen(false)
  }
  return (
    <Popover open={open} onOpenChange={setOpen} label="New column" trigger={<Button small><Columns3 /> Column</Button>}>
      <form onSubmit={submit} className="flex flex-col gap-2">
        <div className="flex items-center gap-2">
          <Input aria-label="Name of the column" placeholder="Name of the column" autoFocus maxLength={1000} value={name} onChange={(event) => setName(event.target.value)} aria-invalid={known} />
          <Button look="primary" type="submit" disabled={name.trim() === '' || known}>Add</Button>
        </div>
        {known && <p role="alert" className="text-[13px] text-bad">There is a column of this name.</p>}
      </form>
    </Popover>
  )
}
