import { useMutation, useQueryClient, type QueryKey } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Ellipsis, Link2, Pencil, Trash2 } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { api, call } from '@/api/client'
import { useSession } from '@/api/session'
import { IconButton } from '@/ui/button'
import { useConfirm } from '@/ui/dialog'
import { ExternalIdsDialog, type ExternalIdsProps } from '@/ui/external-ids'
import { Menu, MenuItem, MenuSeparator } from '@/ui/menu'
import { useToast } from '@/ui/toast'

interface Entity {
  id: number | string
  name: string
  /** Its type as an entity in folders, and in words. */
  type: 'WORKFLOW' | 'TOOL' | 'SKILL_COLLECTION'
  noun: string
  /** The list to return to when it is deleted. */
  list: '/$workspace/workflows' | '/$workspace/tools' | '/$workspace/skills'
  /** The queries about it, and about all of its kind. */
  queryKey: QueryKey
  listKey: QueryKey
}

/** The less common actions: those of the kind, and renaming, external IDs and deleting, which all kinds have. */
export function EntityMenu({ entity, externalIds, loss, mayEdit, mayDelete, rename, children }: {
  entity: Entity
  externalIds: Pick<ExternalIdsProps, 'list' | 'attach' | 'detach'>
  /** What deleting takes away, in words. */
  loss: string
  mayEdit: boolean
  mayDelete: boolean
  /** The dialog that renames it. */
  rename: (onClose: () => void) => ReactNode
  /** The items above deleting, among them these two. */
  children: (renameItem: ReactNode, idsItem: ReactNode) => ReactNode
}) {
  const [open, setOpen] = useState<'rename' | 'ids' | null>(null)
  const remove = useRemove(entity, loss)
  return (
    <>
      <Menu trigger={<IconButton label="More actions"><Ellipsis /></IconButton>}>
        {children(
          <MenuItem disabled={!mayEdit} onSelect={() => setOpen('rename')}><Pencil /> Rename</MenuItem>,
          <MenuItem onSelect={() => setOpen('ids')}><Link2 /> External IDs</MenuItem>,
        )}
        <MenuSeparator />
        <MenuItem danger disabled={!mayDelete} onSelect={() => void remove()}><Trash2 /> Delete {entity.noun}</MenuItem>
      </Menu>
      {open === 'rename' && rename(() => setOpen(null))}
      <ExternalIdsDialog open={open === 'ids'} onOpenChange={(next) => setOpen(next ? 'ids' : null)} noun={entity.noun} queryKey={entity.queryKey} mayEdit={mayEdit} {...externalIds} />
    </>
  )
}

/** Returns a function that deletes after confirmation, and leaves for the list. */
function useRemove({ id, name, type, list, queryKey, listKey }: Entity, loss: string): () => Promise<void> {
  const workspace = useSession().workspace_id
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  const toast = useToast()
  const confirm = useConfirm()
  const remove = useMutation({
    mutationFn: () => call(api.DELETE('/api/public/v2/folders/entities', { body: { entities: [{ id, type }] } })),
    onSuccess: async () => {
      toast.done(`${name} deleted`)
      await navigate({ to: list, params: { workspace: String(workspace) }, search: {}, ignoreBlocker: true })
      queryClient.removeQueries({ queryKey })
      void queryClient.invalidateQueries({ queryKey: listKey })
    },
    onError: toast.failed,
  })
  return async () => {
    if (await confirm({ title: `Delete ${name}?`, body: loss, action: 'Delete', danger: true })) remove.mutate()
  }
}
