import { queryOptions } from '@tanstack/react-query'
import { api, call, type Schemas } from '@/api/client'
import { promptsKey } from '@/template/data'

export type Folder = Schemas['FolderItem']

export function foldersQuery(workspace: number) {
  return queryOptions({
    queryKey: [...promptsKey(workspace), 'folders'],
    queryFn: async () => (await call(api.GET('/api/public/v2/folders', { params: { query: { sort_by: 'name', sort_order: 'asc' } } }))).folders,
  })
}
