import { Copy, Tag } from 'lucide-react'
import { api, call } from '@/api/client'
import { useMay, useSession } from '@/api/session'
import { RenameEntity } from '@/folder/rename-entity'
import { EntityMenu } from '@/registry/menu'
import { MenuItem } from '@/ui/menu'
import { useToast } from '@/ui/toast'
import { toolKey, toolsKey, type Tool } from '../data'

/** The less common actions on a tool. */
export function ToolMenu({ tool: { id, name }, onRelease }: { tool: Tool; onRelease: (() => void) | null }) {
  const workspace = useSession().workspace_id
  const toast = useToast()
  const reference = () => void navigator.clipboard.writeText(JSON.stringify({ type: 'registry', tool_registry_id: id })).then(() => toast.done('Reference copied'))
  const path = { tool_id: id }
  return (
    <EntityMenu
      entity={{ id, name, type: 'TOOL', noun: 'tool', list: '/$workspace/tools', queryKey: toolKey(workspace, id), listKey: toolsKey(workspace) }}
      externalIds={{
        list: async () => (await call(api.GET('/api/public/v2/tool-registry/{tool_id}/external-ids', { params: { path } }))).external_ids,
        attach: (pair) => call(api.POST('/api/public/v2/tool-registry/{tool_id}/external-ids', { params: { path }, body: pair })),
        detach: (pair) => call(api.DELETE('/api/public/v2/tool-registry/{tool_id}/external-ids/{source}/{external_id}', { params: { path: { ...path, ...pair } } })),
      }}
      loss="This deletes all versions, labels and variables. Prompts that refer to the tool will no longer offer it to models."
      mayEdit={useMay('TOOL_EDIT')}
      mayDelete={useMay('TOOL_DELETE')}
      rename={(onClose) => <RenameEntity id={id} name={name} noun="tool" onClose={onClose} />}
    >
      {(renameItem, idsItem) => (
        <>
          <MenuItem disabled={onRelease === null} onSelect={() => onRelease?.()}><Tag /> Release latest version</MenuItem>
          {renameItem}
          {idsItem}
          <MenuItem onSelect={reference}><Copy /> Copy reference for prompts</MenuItem>
        </>
      )}
    </EntityMenu>
  )
}
