import { api, call } from '@/api/client'
import { useMay, useSession } from '@/api/session'
import { ExternalIdsDialog } from '@/ui/external-ids'
import { workflowKey } from './data'

/** The external IDs of a workflow. */
export function WorkflowExternalIds({ workflow, open, onOpenChange }: { workflow: number; open: boolean; onOpenChange: (open: boolean) => void }) {
  const workspace = useSession().workspace_id
  const path = { workflow_id: workflow }
  return (
    <ExternalIdsDialog
      noun="workflow"
      open={open}
      onOpenChange={onOpenChange}
      queryKey={workflowKey(workspace, workflow)}
      mayEdit={useMay('WORKFLOW_EDIT')}
      list={async () => (await call(api.GET('/workflows/{workflow_id}/external-ids', { params: { path } }))).external_ids}
      attach={(pair) => call(api.POST('/workflows/{workflow_id}/external-ids', { params: { path }, body: pair }))}
      detach={(pair) => call(api.DELETE('/workflows/{workflow_id}/external-ids/{source}/{external_id}', { params: { path: { ...path, ...pair } } }))}
    />
  )
}
