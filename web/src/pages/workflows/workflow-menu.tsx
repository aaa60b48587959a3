import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Braces, Copy, Ellipsis, Link2, Pencil, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { api, call } from '@/api/client'
import { useMay, useSession } from '@/api/session'
import { RenameEntity } from '@/folder/rename-entity'
import { IconButton } from '@/ui/button'
import { useConfirm } from '@/ui/dialog'
import { Menu, MenuItem, MenuSeparator } from '@/ui/menu'
import { useToast } from '@/ui/toast'
import { workflowKey, workflowsKey } from './data'
import { WorkflowExternalIds } from './external-ids'
import { definitionOf, type Version } from './model/definition'
import { definitionText } from './model/diff'
import { WorkflowInCode } from './workflow-in-code'

/** The less common actions on a workflow. */
export function WorkflowMenu({ version }: { version: Version }) {
  const { workflow_id: id, workflow_name: name } = version
  const workspace = useSession().workspace_id
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  const toast = useToast()
  const confirm = useConfirm()
  const mayDelete = useMay('WORKFLOW_DELETE')
  const [idsOpen, setIdsOpen] = useState(false)
  const [renaming, setRenaming] = useState(false)
  const mayEdit = useMay('WORKFLOW_EDIT')
  const [coding, setCoding] = useState(false)
  const remove = useMutation({
    mutationFn: () => call(api.DELETE('/api/public/v2/folders/entities', { body: { entities: [{ id, type: 'WORKFLOW' }] } })),
    onSuccess: async () => {
      toast.done(`${name} deleted`)
      await navigate({ to: '/$workspace/workflows', params: { workspace: String(workspace) }, search: {}, ignoreBlocker: true })
      queryClient.removeQueries({ queryKey: workflowKey(workspace, id) })
      void queryClient.invalidateQueries({ queryKey: workflowsKey(workspace) })
    },
    onError: toast.failed,
  })
  const askAndRemove = async () => {
    const yes = await confirm({ title: `Delete ${name}?`, body: 'This deletes all versions and labels. The workflow can no longer be run. Completed runs are kept.', action: 'Delete', danger: true })
    if (yes) remove.mutate()
  }
  const copy = () => void navigator.clipboard.writeText(definitionText(definitionOf(version))).then(() => toast.done('Definition copied'))
  return (
    <>
      <Menu trigger={<IconButton label="More actions"><Ellipsis /></IconButton>}>
        <MenuItem onSelect={() => setCoding(true)}><Braces /> Use in code…</MenuItem>
        <MenuItem disabled={!mayEdit} onSelect={() => setRenaming(true)}><Pencil /> Rename</MenuItem>
        <MenuItem onSelect={() => setIdsOpen(true)}><Link2 /> External IDs</MenuItem>
        <MenuItem onSelect={copy}><Copy /> Copy definition</MenuItem>
        <MenuSeparator />
        <MenuItem danger disabled={!mayDelete} onSelect={() => void askAndRemove()}><Trash2 /> Delete workflow</MenuItem>
      </Menu>
      {coding && <WorkflowInCode version={version} onClose={() => setCoding(false)} />}
      {renaming && <RenameEntity id={id} name={name} noun="workflow" onClose={() => setRenaming(false)} />}
      <WorkflowExternalIds workflow={id} open={idsOpen} onOpenChange={setIdsOpen} />
    </>
  )
}
