import { keepPreviousData, queryOptions, useQueryClient } from '@tanstack/react-query'
import { ApiError, api, call, readError, sessionHeaders, type Schemas } from '@/api/client'
import { useSession } from '@/api/session'
import type { Files } from './files/draft'
import { fromRoot } from './files/layout'

export type Skill = Schemas['SkillItem']
export type VersionItem = Schemas['SkillVersionItem']

/** A collection with the files of one version, by their paths from the root. */
export interface Pulled {
  skill: Skill
  version: Schemas['SkillVersion'] | null
  files: Files
}

/** The prefix of all query keys about the skills of a workspace. */
export const skillsKey = (workspace: number) => ['w', workspace, 'skills'] as const
export const skillKey = (workspace: number, id: string) => [...skillsKey(workspace), id] as const

export const skillPath = (id: string) => ({ path: { identifier: id } })

const versionQuery = (version: number | undefined) => (version === undefined ? {} : { version: String(version) })

/** All collections, last updated first. */
export function skillsQuery(workspace: number) {
  return queryOptions({
    queryKey: [...skillsKey(workspace), 'list'],
    queryFn: async ({ signal }) => (await call(api.GET('/api/public/v2/skill-collections', { params: { query: { sort_by: 'updated_at', sort_order: 'desc' } }, signal }))).skill_collections,
  })
}

/** One version with its files. Defaults to the latest. */
export function pulledQuery(workspace: number, id: string, version?: number) {
  return queryOptions({
    queryKey: [...skillKey(workspace, id), 'pulled', version ?? 'latest'],
    queryFn: async ({ signal }): Promise<Pulled> => {
      const answer = await call(api.GET('/api/public/v2/skill-collections/{identifier}', { params: { ...skillPath(id), query: versionQuery(version) }, signal }))
      if (typeof answer === 'string') throw new ApiError(0, 'The server returned an archive instead of files.')
      const files = fromRoot(answer.version?.file_paths ?? [], answer.version?.provider ?? null, answer.files)
      return { skill: answer.skill_collection, version: answer.version, files }
    },
    staleTime: version === undefined ? 10_000 : 5 * 60_000,
  })
}

export function versionsQuery(workspace: number, id: string, page = 1) {
  return queryOptions({
    queryKey: [...skillKey(workspace, id), 'versions', page],
    queryFn: ({ signal }) => call(api.GET('/api/public/v2/skill-collections/{identifier}/versions', { params: { ...skillPath(id), query: { page, per_page: 100 } }, signal })),
    placeholderData: keepPreviousData,
  })
}

/** Returns a function that reloads all collections. */
export function useRefreshSkills(): () => Promise<void> {
  const { workspace_id } = useSession()
  const queryClient = useQueryClient()
  return () => queryClient.invalidateQueries({ queryKey: skillsKey(workspace_id) })
}

/** A version as an archive, in the layout of its provider. */
export async function pullArchive(id: string, version: number | undefined): Promise<Blob> {
  const answer: unknown = await call(api.GET('/api/public/v2/skill-collections/{identifier}', { params: { ...skillPath(id), query: { format: 'zip', ...versionQuery(version) } }, parseAs: 'blob' }))
  return answer as Blob
}

/** Creates a collection from an archive, which is uploaded as is. */
export async function createFromArchive(metadata: Schemas['CreateSkillRequest'], archive: File): Promise<Schemas['CreatedSkill']> {
  const body = new FormData()
  body.set('metadata', new Blob([JSON.stringify(metadata)], { type: 'application/json' }))
  body.set('archive', archive)
  let response
  try {
    response = await fetch('/api/public/v2/skill-collections', { method: 'POST', headers: sessionHeaders('POST'), body })
  } catch {
    throw new ApiError(0, 'Cannot reach the server. Check that it is running.')
  }
  const answer: unknown = await response.json().catch(() => null)
  if (!response.ok) throw readError(response.status, answer)
  return answer as Schemas['CreatedSkill']
}
