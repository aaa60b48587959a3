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

// The maximum number of changes per call.
const mostChanges = 1000

/** The actions on a draft: add rows and columns, delete rows, and save it as a version. */
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
    const words = ids.length === 1 ? '1 row' : `${ids.length} rows`
    if (ids.length > mostChanges) return toast.failed(`You can delete up to ${mostChanges} rows at a time.`)
    if (!(await confirm({ title: `Delete ${words}?`, body: `This deletes ${words} from the draft. Saved versions are not changed.`, action: 'Delete', danger: true }))) return
    onChosen(new Set())
    change.mutate({ delete: ids }, { onSuccess: () => toast.done(ids.length === 1 ? 'Row deleted' : `${ids.length} rows deleted`) })
  }
  const saveDraft = async () => {
    const words = total === 1 ? '1 row' : `${total.toLocaleString('en-US')} rows`
    if (!(await confirm({ title: 'Save as version?', body: `The draft with ${words} becomes a version, which can no longer be changed.`, action: 'Save as version' }))) return
    save.mutate(undefined, {
      onSuccess: (dataset) => {
        toast.done('Draft saved as a version')
        onShow(dataset)
      },
    })
  }
  return (
    <div className="flex flex-wrap items-center gap-2 border-b border-line bg-warn-soft/40 px-4 py-1.5">
      <Button small busy={change.isPending && change.variables.add !== undefined} disabled={columns.length === 0} title={columns.length === 0 ? 'Add a column first' : undefined} onClick={() => change.mutate({ add: [{}] }, { onSuccess: (answer) => onAdded(answer.total - 1) })}>
        <Plus /> Add row
      </Button>
      <AddColumn taken={columns} onAdd={(name) => change.mutate({ add_columns: [name] }, { onSuccess: () => toast.done(`Column ${name} added`) })} />
      <Link to="/$workspace/requests" params={{ workspace: String(workspace_id) }} search={{}} title="Add logged requests to this dataset" className={buttonClass('plain', true)}><ScrollText /> Add from requests</Link>
      {chosen.size > 0 && <Button small look="danger" onClick={() => void remove()}><Trash2 /> Delete {chosen.size === 1 ? '1 row' : `${chosen.size} rows`}</Button>}
      <p className="hidden text-[13px] text-dim lg:block">Double-click a cell or press Enter to edit it. Changes are saved automatically.</p>
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
    <Popover open={open} onOpenChange={setOpen} label="New column" trigger={<Button small><Columns3 /> Add column</Button>}>
      <form onSubmit={submit} className="flex flex-col gap-2">
        <div className="flex items-center gap-2">
          <Input aria-label="Column name" placeholder="Column name" autoFocus maxLength={1000} value={name} onChange={(event) => setName(event.target.value)} aria-invalid={known} />
          <Button look="primary" type="submit" disabled={name.trim() === '' || known}>Add</Button>
        </div>
        {known && <p role="alert" className="text-[13px] text-bad">A column with this name already exists.</p>}
      </form>
    </Popover>
  )
}
