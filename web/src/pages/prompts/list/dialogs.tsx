import { useState, type FormEvent } from 'react'
import type { Folder } from '@/folder/data'
import { FolderChoice } from '@/folder/folder-choice'
import { Button } from '@/ui/button'
import { Dialog } from '@/ui/dialog'
import { Field, Input } from '@/ui/field'
import { nounOf, useFolderActions, type Item } from './actions'

/** Creates or renames a folder. */
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
      description={folder === undefined && parent !== undefined ? `Creates a folder in ${parent.name}.` : undefined}
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

/** Moves an item to a folder. `from` is its current folder, or undefined if unknown. */
export function MoveDialog({ item, from, onClose }: { item: Item; from: number | null | undefined; onClose: () => void }) {
  const { move } = useFolderActions()
  const [target, setTarget] = useState<{ id: number; name: string } | null>(typeof from === 'number' ? { id: from, name: '' } : null)
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      size="narrow"
      title={`Move ${nounOf(item.type)} ${item.name}`}
      footer={<Button look="primary" busy={move.isPending} disabled={(target?.id ?? null) === from} onClick={() => move.mutate({ item, folder: target }, { onSuccess: onClose })}>Move</Button>}
    >
      <div className="flex flex-col gap-1 pb-1">
        <span className="text-[13px] font-medium text-dim">To</span>
        <FolderChoice label="Target folder" value={target?.id ?? null} onChange={setTarget} except={item.type === 'FOLDER' ? item.id : undefined} />
      </div>
    </Dialog>
  )
}
