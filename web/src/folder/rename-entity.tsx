import { useQueryClient } from '@tanstack/react-query'
import { api, call } from '@/api/client'
import { useSession } from '@/api/session'
import { NameDialog } from '@/ui/name-dialog'
import { useToast } from '@/ui/toast'

/** Renames a prompt, a workflow or a tool. */
export function RenameEntity({ id, name, noun, onClose }: { id: number; name: string; noun: 'prompt' | 'snippet' | 'workflow' | 'tool'; onClose: () => void }) {
  const { workspace_id: workspace } = useSession()
  const queryClient = useQueryClient()
  const toast = useToast()
  const save = async (next: string) => {
    await call(api.PATCH('/api/public/v2/folders/entities/{entity_id}', { params: { path: { entity_id: id } }, body: { name: next } }))
    toast.done(`${name} renamed to ${next}`)
    // The name is in many lists.
    await queryClient.invalidateQueries({ queryKey: ['w', workspace] })
  }
  return (
    <NameDialog
      title={`Rename ${name}`} label="Name" initial={name} action="Rename" onSave={save} onClose={onClose}
      description={`Applications that ask for ${name} get this ${noun}, until another one takes that name.`}
    />
  )
}
