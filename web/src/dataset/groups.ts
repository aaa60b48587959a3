import { useQuery } from '@tanstack/react-query'
import { api, call, type Schemas } from '@/api/client'
import { useSession } from '@/api/session'

export interface DatasetGroup {
  id: number
  name: string
}

/** The dataset groups whose names match, newest first. */
export function useDatasetGroups(name: string): DatasetGroup[] {
  const { workspace_id: workspace } = useSession()
  const { data } = useQuery({
    queryKey: ['w', workspace, 'datasets', 'groups', name],
    queryFn: ({ signal }) => call(api.GET('/api/public/v2/datasets', { params: { query: { page: 1, per_page: 100, ...(name === '' ? {} : { name }) } }, signal })),
  })
  const groups = new Map<number, DatasetGroup>()
  for (const { dataset_group: group } of data?.datasets ?? []) groups.set(group.id, { id: group.id, name: group.name })
  return [...groups.values()]
}

export async function createGroup(name: string): Promise<DatasetGroup> {
  const made = await call(api.POST('/api/public/v2/dataset-groups', { body: { name } }))
  return { id: made.dataset_group.id, name: made.dataset_group.name }
}

/** Creates a draft of the group with the rows of its latest version, unless it has one. */
export async function ensureDraft(group: number): Promise<void> {
  const { datasets } = await call(api.GET('/api/public/v2/datasets', { params: { query: { dataset_group_id: group, page: 1, per_page: 100 } } }))
  if (datasets.some(({ version_number: version }) => version === -1)) return
  const newest = datasets.reduce<Schemas['DatasetItem'] | null>((best, dataset) => (best === null || dataset.version_number > best.version_number ? dataset : best), null)
  await call(api.POST('/api/public/v2/dataset-versions/create-draft', { body: { dataset_group_id: group, ...(newest === null ? {} : { source_dataset_id: newest.id }) } }))
}
