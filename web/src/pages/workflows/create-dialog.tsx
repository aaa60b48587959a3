import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { api, call } from '@/api/client'
import { useSession } from '@/api/session'
import { Field, Input } from '@/ui/field'
import { FormDialog } from '@/ui/form-dialog'
import { workflowsKey } from './data'
import { wholeOf } from './model/patch'
import { starters } from './starters'

/** Creates a workflow from a starter. */
export function CreateDialog({ onClose }: { onClose: () => void }) {
  const workspace = useSession().workspace_id
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  const [name, setName] = useState('')
  const [chosen, setChosen] = useState('step')
  const create = useMutation({
    mutationFn: () => {
      const definition = starters.find(({ value }) => value === chosen)?.definition ?? { nodes: [], edges: [], variables: {} }
      return call(api.POST('/rest/workflows', { body: { name: name.trim(), ...wholeOf(definition) } }))
    },
    onSuccess: async (record) => {
      void queryClient.invalidateQueries({ queryKey: workflowsKey(workspace) })
      await navigate({ to: '/$workspace/workflows/$workflow', params: { workspace: String(workspace), workflow: String(record.workflow_id) }, search: {} })
    },
  })
  return (
    <FormDialog title="New workflow" action="Create" busy={create.isPending} ready={name.trim() !== ''} onSubmit={() => create.mutate()} onClose={onClose}>
      <Field label="Name" hint="Applications run the workflow by this name." error={create.error?.message}>
        {(control) => <Input {...control} autoFocus maxLength={255} value={name} onChange={(event) => setName(event.target.value)} />}
      </Field>
      <fieldset>
        <legend className="mb-1 text-[13px] font-medium text-dim">Start with</legend>
        <div className="flex flex-col gap-1.5">
          {starters.map((starter) => (
            <label key={starter.value} className="flex cursor-pointer items-start gap-2.5 rounded-md border border-line p-2.5 has-checked:border-accent has-checked:bg-accent-soft">
              <input type="radio" name="starter" className="mt-1 accent-(--accent)" value={starter.value} checked={chosen === starter.value} onChange={() => setChosen(starter.value)} />
              <span>
                <span className="block font-medium">{starter.label}</span>
                <span className="block text-[13px] text-dim">{starter.about}</span>
              </span>
            </label>
          ))}
        </div>
      </fieldset>
    </FormDialog>
  )
}
