import { useQueryClient } from '@tanstack/react-query'
import { api, call } from '@/api/client'
import { useSession } from '@/api/session'
import { useLabelChanges } from '@/ui/label-changes'
import { workflowsKey } from './data'

/** The actions on the labels of a workflow. */
export function useLabelActions(workflow: number, name: string) {
  const { workspace_id: workspace } = useSession()
  const queryClient = useQueryClient()
  const path = (label: string) => ({ path: { workflow_id: workflow, label } })
  const point = (label: string, version: number) => call(api.PUT('/workflows/{workflow_id}/release-labels/{label}', { params: path(label), body: { version_number: version } }))
  return useLabelChanges({
    create: point,
    move: ({ name: label }, version) => point(label, version),
    remove: ({ name: label }) => call(api.DELETE('/workflows/{workflow_id}/release-labels/{label}', { params: path(label) })),
    refresh: () => queryClient.invalidateQueries({ queryKey: workflowsKey(workspace) }),
    afterMove: (_, version) => `Applications that run ${name} by this label will run version ${version} immediately.`,
    afterDelete: () => `Applications that run ${name} by this label will get an error.`,
  })
}
