import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState, type FormEvent } from 'react'
import { api, call } from '@/api/client'
import { useSession } from '@/api/session'
import { datasetsKey } from '@/dataset/data'
import { Button } from '@/ui/button'
import { Dialog } from '@/ui/dialog'
import { Field, Input } from '@/ui/field'
import { useToast } from '@/ui/toast'

/** Creates a dataset with an empty draft and opens it. */
export function CreateDialog({ onClose }: { onClose: () => void }) {
  const { workspace_id: workspace } = useSession()
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  const toast = useToast()
  const [name, setName] = useState('')
  const create = useMutation({
    mutationFn: () => call(api.POST('/api/public/v2/dataset-groups', { body: { name: name.trim() } })),
    onSuccess: async ({ dataset_group, dataset }) => {
      await queryClient.invalidateQueries({ queryKey: datasetsKey(workspace) })
      toast.done(`Dataset ${dataset_group.name} created`)
      void navigate({ to: '/$workspace/datasets/$group', params: { workspace: String(workspace), group: String(dataset_group.id) }, search: { dataset: dataset.id } })
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (name.trim() !== '') create.mutate()
  }
  return (
    <Dialog
      open
      size="narrow"
      onOpenChange={(open) => !open && onClose()}
      title="New dataset"
      description="Creates an empty draft. Add rows by hand, import a file, or add logged requests."
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button look="primary" type="submit" form="new-dataset" busy={create.isPending} disabled={name.trim() === ''}>Create</Button>
        </>
      }
    >
      <form id="new-dataset" onSubmit={submit}>
        <Field label="Name" error={create.error?.message}>{(control) => <Input {...control} autoFocus maxLength={255} value={name} onChange={(event) => setName(event.target.value)} />}</Field>
      </form>
    </Dialog>
  )
}
