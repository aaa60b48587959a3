import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { api, call } from '@/api/client'
import { useSession } from '@/api/session'
import { datasetsKey } from '@/dataset/data'
import { Field, Input } from '@/ui/field'
import { FormDialog } from '@/ui/form-dialog'
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
  return (
    <FormDialog
      size="narrow"
      title="New dataset"
      description="Creates an empty draft. Add rows by hand, import a file, or add logged requests."
      action="Create"
      busy={create.isPending}
      ready={name.trim() !== ''}
      onSubmit={() => create.mutate()}
      onClose={onClose}
    >
      <Field label="Name" error={create.error?.message}>{(control) => <Input {...control} autoFocus maxLength={255} value={name} onChange={(event) => setName(event.target.value)} />}</Field>
    </FormDialog>
  )
}
