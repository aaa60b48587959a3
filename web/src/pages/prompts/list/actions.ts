import { useMutation, useQueryClient } from '@tanstack/react-query'
import { api, call } from '@/api/client'
import { useSession } from '@/api/session'
import { promptsKey } from '@/template/data'
import { useConfirm } from '@/ui/dialog'
import { useToast } from '@/ui/toast'

/** What can be moved and deleted: a folder or a template. */
export interface Item {
  id: number
  name: string
  type: string
}

/** The kind under which an item is dragged. */
export const dragKind = 'application/x-promptuary-item'

export function nounOf(type: string): string {
  return type === 'FOLDER' ? 'folder' : type === 'SNIPPET' ? 'snippet' : 'prompt'
}

/** What can be done to folders and to what lies in them. */
export function useFolderActions() {
  const { workspace_id: workspace } = useSession()
  const queryClient = useQueryClient()
  const toast = useToast()
  const confirm = useConfirm()
  const refresh = () => queryClient.invalidateQueries({ queryKey: promptsKey(workspace) })
  const after = (words: string) => {
    toast.done(words)
    return refresh()
  }
  const create = useMutation({
    mutationFn: (body: { name: string; parent_id?: number }) => call(api.POST('/api/public/v2/folders', { body })),
    onSuccess: (_, { name }) => after(`Folder ${name} was created`),
  })
  const rename = useMutation({
    mutationFn: ({ id, name }: { id: number; name: string }) => call(api.PATCH('/api/public/v2/folders/{folder_id}', { params: { path: { folder_id: id } }, body: { name } })),
    onSuccess: (_, { name }) => after(`The folder is now called ${name}`),
  })
  const move = useMutation({
    mutationFn: ({ item, folder }: { item: Item; folder: { id: number; name: string } | null }) =>
      call(api.POST('/api/public/v2/folders/entities', { body: { entities: [{ id: item.id, type: item.type }], folder_id: folder?.id ?? null } })),
    onSuccess: (_, { item, folder }) => after(`${item.name} was moved to ${folder?.name ?? 'the top'}`),
    onError: toast.failed,
  })
  const remove = useMutation({
    mutationFn: async ({ item, leave }: { item: Item; leave?: () => Promise<void> }) => {
      await call(api.DELETE('/api/public/v2/folders/entities', { body: { entities: [{ id: item.id, type: item.type }], cascade: item.type === 'FOLDER' } }))
      await leave?.()
    },
    onSuccess: (_, { item }) => {
      toast.done(`${item.name} was deleted`)
      // What is gone is not asked for again, nor are labels, which may be of something in a folder.
      return queryClient.invalidateQueries({ queryKey: promptsKey(workspace), predicate: ({ queryKey }) => queryKey[3] !== String(item.id) && queryKey[4] !== 'labels' })
    },
    onError: toast.failed,
  })
  /** Asks, then deletes; a page that shows the item leaves when it is gone. */
  const askToDelete = async (item: Item, leave?: () => Promise<void>) => {
    const words = await deletionWords(item)
    if (await confirm({ title: `Delete the ${nounOf(item.type)} ${item.name}?`, body: words, action: 'Delete', danger: true })) remove.mutate({ item, leave })
  }
  return { create, rename, move, askToDelete }
}

/** Says what is lost, with the number of things that lie in a folder. */
async function deletionWords(item: Item): Promise<string> {
  if (item.type !== 'FOLDER') {
    return `All versions and labels of ${item.name} go with it. Programs that fetch it get an error from then on. Its logged requests stay.`
  }
  const { entities } = await call(api.GET('/api/public/v2/folders/entities', { params: { query: { folder_id: item.id, flatten: true } } }))
  const inside = entities.filter(({ type }) => type !== 'FOLDER').length
  if (inside === 0) return 'The folder has nothing in it.'
  return `${inside === 1 ? 'One thing lies' : `${inside} things lie`} in it or in its folders: prompts, and perhaps workflows, datasets or evaluations. They are deleted with it.`
}
