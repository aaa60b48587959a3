import { useQueryClient, type QueryKey } from '@tanstack/react-query'
import { useLabelChanges } from '@/ui/label-changes'

/** The actions on the release labels of one thing, which are addressed by their names. */
export function useReleaseLabels({ queryKey, point, remove, users, get = 'get' }: {
  /** The query to reload when a label changes. */
  queryKey: QueryKey
  point: (label: string, version: number) => Promise<unknown>
  remove: (label: string) => Promise<unknown>
  /** Who uses a label, such as "Agents that pull it by this label", and what they do with its version. */
  users: string
  get?: string
}) {
  const queryClient = useQueryClient()
  return useLabelChanges({
    create: point,
    move: ({ name }, version) => point(name, version),
    remove: ({ name }) => remove(name),
    refresh: () => queryClient.invalidateQueries({ queryKey }),
    afterMove: (_, version) => `${users} will ${get} version ${version} immediately.`,
    afterDelete: () => `${users} will get an error.`,
  })
}
