import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Copy, Ellipsis, Link2, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { api, call } from '@/api/client'
import { useMay, useSession } from '@/api/session'
import { IconButton } from '@/ui/button'
import { useConfirm } from '@/ui/dialog'
import { Menu, MenuItem, MenuSeparator } from '@/ui/menu'
import { useToast } from '@/ui/toast'
import { workflowKey, workflowsKey } from './data'
import { ExternalIdsDialog } from './external-ids'
import { definitionOf, type Version } from './model/definition'
import { definitionText } from './model/diff'

/** What is rarely done with a workflow. */
export function WorkflowMenu({ version }: { version: Version }) {
  const { workflow_id: id, workflow_name: name } = version
  const workspace = useSession().workspace_id
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  const toast = useToast()
  const confirm = useConfirm()
  const mayDelete = useMay('WORKFLOW_DELETE')
  const [idsOpen, setIdsOpen] = useState(false)
  const remove = useMutation({
    mutationFn: () => call(api.DELETE('/api/public/v2/folders/entities', { body: { entities: [{ id, type: 'WORKFLOW' }] } })),
    onSuccess: async () => {
      toast.done(`Deleted ${name}`)
      await navigate({ to: '/$workspace/workflows', params: { workspace: String(workspace) }, search: {}, ignoreBlocker: true })
      queryClient.removeQueries({ queryKey: workflowKey(workspace, id) })
      void queryClient.invalidateQueries({ queryKey: workflowsKey(workspace) })
    },
    onError: toast.failed,
  })
  const askAndRemove = async () => {
    const yes = await confirm({ title: `Delete ${name}?`, body: 'All of its versions and labels go with it, and it can no longer be run. Finished runs stay readable.', action: 'Delete', danger: true })
    if (yes) remove.mutate()
  }
  const copy = () => void navigator.clipboard.writeText(definitionText(definitionOf(version))).then(() => toast.done('Copied the definition as JSON'))
  return (
    <>
      <Menu trigger={<IconButton label="More"><Ellipsis /></IconButton>}>
        <MenuItem onSelect={() => setIdsOpen(true)}><Link2 /> External ids</MenuItem>
        <MenuItem onSelect={copy}><Copy /> Copy the definition</MenuItem>
        <MenuSeparator />
        <MenuItem danger disabled={!mayDelete} onSelect={() => void askAndRemove()}><Trash2 /> Delete the workflow</MenuItem>
      </Menu>
      <ExternalIdsDialog workflow={id} open={idsOpen} onOpenChange={setIdsOpen} />
    </>
  )
}
