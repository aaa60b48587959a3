import { useMutation, useQueryClient } from '@tanstack/react-query'
import { api, call } from '@/api/client'
import { useSession } from '@/api/session'
import { promptsKey } from '@/template/data'
import { useConfirm } from '@/ui/dialog'
import { useToast } from '@/ui/toast'

/** A folder or template, which can be moved and deleted. */
export interface Item {
  id: number
  name: string
  type: string
}

/** The MIME type of dragged items. */
export const dragKind = 'application/x-promptuary-item'

export function nounOf(type: string): string {
  return type === 'FOLDER' ? 'folder' : type === 'SNIPPET' ? 'snippet' : 'prompt'
}

/** The actions on folders and their contents. */
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
    onSuccess: (_, { name }) => after(`Folder ${name} created`),
  })
  const rename = useMutation({
    mutationFn: ({ id, name }: { id: number; name: string }) => call(api.PATCH('/api/public/v2/folders/{folder_id}', { params: { path: { folder_id: id } }, body: { name } })),
    onSuccess: (_, { name }) => after(`Folder renamed to ${name}`),
  })
  const move = useMutation({
    mutationFn: ({ item, folder }: { item: Item; folder: { id: number; name: string } | null }) =>
      call(api.POST('/api/public/v2/folders/entities', { body: { entities: [{ id: item.id, type: item.type }], folder_id: folder?.id ?? null } })),
    onSuccess: (_, { item, folder }) => after(`${item.name} moved to ${folder?.name ?? 'the top level'}`),
    onError: toast.failed,
  })
  const remove = useMutation({
    mutationFn: async ({ item, leave }: { item: Item; leave?: () => Promise<void> }) => {
      await call(api.DELETE('/api/public/v2/folders/entities', { body: { entities: [{ id: item.id, type: item.type }], cascade: item.type === 'FOLDER' } }))
      await leave?.()
    },
    onSuccess: (_, { item }) => {
      toast.done(`${item.name} deleted`)
      // Do not reload the deleted item, nor labels, which may belong to an item in a deleted folder.
      return queryClient.invalidateQueries({ queryKey: promptsKey(workspace), predicate: ({ queryKey }) => queryKey[3] !== String(item.id) && queryKey[4] !== 'labels' })
    },
    onError: toast.failed,
  })
  /** Asks for confirmation, then deletes. A page that shows the item passes `leave` to navigate away. */
  const askToDelete = async (item: Item, leave?: () => Promise<void>) => {
    const words = await deletionWords(item)
    if (await confirm({ title: `Delete ${nounOf(item.type)} ${item.name}?`, body: words, action: 'Delete', danger: true })) remove.mutate({ item, leave })
  }
  return { create, rename, move, askToDelete }
}

/** Describes what will be deleted, with the number of items in a folder. */
async function deletionWords(item: Item): Promise<string> {
  if (item.type !== 'FOLDER') {
    return `This deletes all versions and labels of ${item.name}. Applications that fetch it will get an error. Logged requests are kept.`
  }
  const { entities } = await call(api.GET('/api/public/v2/folders/entities', { params: { query: { folder_id: item.id, flatten: true } } }))
  const inside = entities.filter(({ type }) => type !== 'FOLDER').length
  if (inside === 0) return 'The folder is empty.'
  return `This also deletes ${inside === 1 ? 'the one item' : `all ${inside} items`} in the folder and its subfolders, which may include prompts, workflows, datasets and evaluations.`
}
