import { useQueryClient } from '@tanstack/react-query'
import { api, call } from '@/api/client'
import { useSession } from '@/api/session'
import { useLabelChanges } from '@/ui/label-changes'
import { toolsKey } from '../data'

/** The actions on the labels of a tool. */
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
    afterMove: (_, version) => `Prompts and applications that use ${name} with this label will get version ${version} immediately.`,
    afterDelete: () => `Prompts and applications that use ${name} with this label will get an error.`,
  })
}
