import { useQueryClient } from '@tanstack/react-query'
import { api, call } from '@/api/client'
import { useSession } from '@/api/session'
import { useLabelChanges } from '@/ui/label-changes'
import { skillsKey, type Skill } from '../data'

/** The actions on the labels of a collection. */
export function useLabelActions({ id, name }: Skill) {
  const { workspace_id: workspace } = useSession()
  const queryClient = useQueryClient()
  const path = (label: string) => ({ path: { identifier: id, label } })
  const point = (label: string, version: number) => call(api.PUT('/api/public/v2/skill-collections/{identifier}/release-labels/{label}', { params: path(label), body: { version_number: version } }))
  return useLabelChanges({
    create: point,
    move: ({ name: label }, version) => point(label, version),
    remove: ({ name: label }) => call(api.DELETE('/api/public/v2/skill-collections/{identifier}/release-labels/{label}', { params: path(label) })),
    refresh: () => queryClient.invalidateQueries({ queryKey: skillsKey(workspace) }),
    afterMove: (_, version) => `Agents that pull ${name} by this label will get version ${version} immediately.`,
    afterDelete: () => `Agents that pull ${name} by this label will get an error.`,
  })
}
