import { useQuery } from '@tanstack/react-query'
import { useState, type FormEvent } from 'react'
import { useSession } from '@/api/session'
import { Button } from '@/ui/button'
import { Combobox } from '@/ui/combobox'
import { Dialog } from '@/ui/dialog'
import { Field, Input } from '@/ui/field'
import { foldersQuery, type Folder } from '../data'
import { nounOf, useFolderActions, type Item } from './actions'
import { folderPath, isWithin } from './tree'

/** The value of the place outside of all folders. */
const top = 'top'

/** A folder chosen by its whole path; null is the top. */
export function FolderChoice({ value, onChange, label, except }: { value: number | null; onChange: (folder: Folder | null) => void; label: string; except?: number }) {
  const { workspace_id: workspace } = useSession()
  const folders = useQuery(foldersQuery(workspace)).data ?? []
  const options = folders
    .filter(({ id }) => except === undefined || !isWithin(folders, id, except))
    .map((folder) => ({ value: String(folder.id), label: folderPath(folders, folder.id).map(({ name }) => name).join(' / ') }))
    .sort((one, other) => one.label.localeCompare(other.label))
  return (
    <Combobox
      label={label}
      className="w-full"
      options={[{ value: top, label: 'No folder' }, ...options]}
      value={value === null ? top : String(value)}
      onChange={(next) => onChange(folders.find(({ id }) => String(id) === next) ?? null)}
    />
  )
}

/** Makes a folder, or gives one another name. */
export function FolderDialog({ parent, folder, onClose }: { parent?: Folder; folder?: Folder; onClose: () => void }) {
  const { create, rename } = useFolderActions()
  const [name, setName] = useState(folder?.name ?? '')
  const job = folder === undefined ? create : rename
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (folder !== undefined) rename.mutate({ id: folder.id, name: name.trim() }, { onSuccess: onClose })
    else create.mutate({ name: name.trim(), ...(parent === undefined ? {} : { parent_id: parent.id }) }, { onSuccess: onClose })
  }
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      size="narrow"
      title={folder === undefined ? 'New folder' : `Rename ${folder.name}`}
      description={folder === undefined && parent !== undefined ? `It is made in ${parent.name}.` : undefined}
      footer={<Button look="primary" type="submit" form="folder-form" busy={job.isPending} disabled={name.trim() === ''}>{folder === undefined ? 'Create' : 'Rename'}</Button>}
    >
      <form id="folder-form" onSubmit={submit}>
        <Field label="Name" error={job.error?.message}>
          {(control) => <Input {...control} autoFocus maxLength={255} value={name} onChange={(event) => setName(event.target.value)} />}
        </Field>
      </form>
    </Dialog>
  )
}

/** Moves to a chosen folder. From is where the item lies, undefined where that is not known. */
export function MoveDialog({ item, from, onClose }: { item: Item; from: number | null | undefined; onClose: () => void }) {
  const { move } = useFolderActions()
  const [target, setTarget] = useState<{ id: number; name: string } | null>(typeof from === 'number' ? { id: from, name: '' } : null)
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      size="narrow"
      title={`Move the ${nounOf(item.type)} ${item.name}`}
      footer={<Button look="primary" busy={move.isPending} disabled={(target?.id ?? null) === from} onClick={() => move.mutate({ item, folder: target }, { onSuccess: onClose })}>Move</Button>}
    >
      <div className="flex flex-col gap-1 pb-1">
        <span className="text-[13px] font-medium text-dim">To</span>
        <FolderChoice label="The folder to move it to" value={target?.id ?? null} onChange={setTarget} except={item.type === 'FOLDER' ? item.id : undefined} />
      </div>
    </Dialog>
  )
}
