import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Copy, Ellipsis, Link2, Pencil, Tag, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { api, call } from '@/api/client'
import { useMay, useSession } from '@/api/session'
import { RenameEntity } from '@/folder/rename-entity'
import { IconButton } from '@/ui/button'
import { useConfirm } from '@/ui/dialog'
import { ExternalIdsDialog } from '@/ui/external-ids'
import { Menu, MenuItem, MenuSeparator } from '@/ui/menu'
import { useToast } from '@/ui/toast'
import { toolKey, useRefreshTools, type Tool } from '../data'

/** The less common actions on a tool. */
export function ToolMenu({ tool, onRelease }: { tool: Tool; onRelease: (() => void) | null }) {
  const workspace = useSession().workspace_id
  const mayEdit = useMay('TOOL_EDIT')
  const mayDelete = useMay('TOOL_DELETE')
  const toast = useToast()
  const remove = useRemove(tool)
  const [idsOpen, setIdsOpen] = useState(false)
  const [renaming, setRenaming] = useState(false)
  const reference = () => void navigator.clipboard.writeText(JSON.stringify({ type: 'registry', tool_registry_id: tool.id })).then(() => toast.done('Reference copied'))
  const path = { tool_id: tool.id }
  return (
    <>
      <Menu trigger={<IconButton label="More actions"><Ellipsis /></IconButton>}>
        <MenuItem disabled={onRelease === null} onSelect={() => onRelease?.()}><Tag /> Release latest version</MenuItem>
        <MenuItem disabled={!mayEdit} onSelect={() => setRenaming(true)}><Pencil /> Rename</MenuItem>
        <MenuItem onSelect={() => setIdsOpen(true)}><Link2 /> External IDs</MenuItem>
        <MenuItem onSelect={reference}><Copy /> Copy reference for prompts</MenuItem>
        <MenuSeparator />
        <MenuItem danger disabled={!mayDelete} onSelect={() => void remove()}><Trash2 /> Delete tool</MenuItem>
      </Menu>
      {renaming && <RenameEntity id={tool.id} name={tool.name} noun="tool" onClose={() => setRenaming(false)} />}
      <ExternalIdsDialog
        noun="tool"
        open={idsOpen}
        onOpenChange={setIdsOpen}
        queryKey={toolKey(workspace, tool.id)}
        mayEdit={mayEdit}
        list={async () => (await call(api.GET('/api/public/v2/tool-registry/{tool_id}/external-ids', { params: { path } }))).external_ids}
        attach={(pair) => call(api.POST('/api/public/v2/tool-registry/{tool_id}/external-ids', { params: { path }, body: pair }))}
        detach={(pair) => call(api.DELETE('/api/public/v2/tool-registry/{tool_id}/external-ids/{source}/{external_id}', { params: { path: { ...path, ...pair } } }))}
      />
    </>
  )
}

function useRemove(tool: Tool): () => Promise<void> {
  const workspace = useSession().workspace_id
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  const refresh = useRefreshTools()
  const toast = useToast()
  const confirm = useConfirm()
  const remove = useMutation({
    mutationFn: () => call(api.DELETE('/api/public/v2/folders/entities', { body: { entities: [{ id: tool.id, type: 'TOOL' }] } })),
    onSuccess: async () => {
      toast.done(`${tool.name} deleted`)
      await navigate({ to: '/$workspace/tools', params: { workspace: String(workspace) }, search: {}, ignoreBlocker: true })
      queryClient.removeQueries({ queryKey: toolKey(workspace, tool.id) })
      void refresh()
    },
    onError: toast.failed,
  })
  return async () => {
    if (await confirm({ title: `Delete ${tool.name}?`, body: 'This deletes all versions, labels and variables. Prompts that refer to the tool will no longer offer it to models.', action: 'Delete', danger: true })) remove.mutate()
  }
}
