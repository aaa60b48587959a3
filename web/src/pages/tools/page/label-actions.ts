import { useQueryClient } from '@tanstack/react-query'
import { api, call } from '@/api/client'
import { useSession } from '@/api/session'
import { useLabelChanges } from '@/ui/label-changes'
import { toolsKey } from '../data'

/** What can be done to the labels of a tool. */
export function useLabelActions(tool: number, name: string) {
  const { workspace_id: workspace } = useSession()
  const queryClient = useQueryClient()
  const path = (label: string) => ({ path: { tool_id: tool, label } })
  const point = (label: string, version: number) => call(api.PUT('/api/public/v2/tool-registry/{tool_id}/release-labels/{label}', { params: path(label), body: { version_number: version } }))
  return useLabelChanges({
    create: point,
    move: ({ name: label }, version) => point(label, version),
    remove: ({ name: label }) => call(api.DELETE('/api/public/v2/tool-registry/{tool_id}/release-labels/{label}', { params: path(label) })),
    refresh: () => queryClient.invalidateQueries({ queryKey: toolsKey(workspace) }),
    afterMove: (_, version) => `Templates and programs that name ${name} with this label get version ${version} in its place.`,
    afterDelete: `Templates and programs that name ${name} with it get an error from then on.`,
  })
}
