import { useState } from 'react'
import type { Folder } from '@/folder/data'
import { FolderChoice } from '@/folder/folder-choice'
import { FormDialog } from '@/ui/form-dialog'
import { NameDialog } from '@/ui/name-dialog'
import { nounOf, useFolderActions, type Item } from './actions'

/** Creates or renames a folder. */
export function FolderDialog({ parent, folder, onClose }: { parent?: Folder; folder?: Folder; onClose: () => void }) {
  const { create, rename } = useFolderActions()
  if (folder !== undefined) return <NameDialog title={`Rename ${folder.name}`} initial={folder.name} action="Rename" onSave={(name) => rename.mutateAsync({ id: folder.id, name })} onClose={onClose} />
  const save = (name: string) => create.mutateAsync({ name, ...(parent === undefined ? {} : { parent_id: parent.id }) })
  return <NameDialog title="New folder" description={parent && `Creates a folder in ${parent.name}.`} action="Create" onSave={save} onClose={onClose} />
}

/** Moves an item to a folder. `from` is its current folder, or undefined if unknown. */
export function MoveDialog({ item, from, onClose }: { item: Item; from: number | null | undefined; onClose: () => void }) {
  const { move } = useFolderActions()
  const [target, setTarget] = useState<{ id: number; name: string } | null>(typeof from === 'number' ? { id: from, name: '' } : null)
  return (
    <FormDialog
      size="narrow"
      title={`Move ${nounOf(item.type)} ${item.name}`}
      action="Move"
      busy={move.isPending}
      ready={(target?.id ?? null) !== from}
      className="gap-1"
      onSubmit={() => move.mutate({ item, folder: target }, { onSuccess: onClose })}
      onClose={onClose}
    >
      <span className="text-[13px] font-medium text-dim">To</span>
      <FolderChoice label="Target folder" value={target?.id ?? null} onChange={setTarget} except={item.type === 'FOLDER' ? item.id : undefined} />
    </FormDialog>
  )
}
