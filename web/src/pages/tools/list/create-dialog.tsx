import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { api, call } from '@/api/client'
import { useSession } from '@/api/session'
import { Checkbox, Field, Input, Textarea } from '@/ui/field'
import { FormDialog } from '@/ui/form-dialog'
import { useToast } from '@/ui/toast'
import { useRefreshTools } from '../data'
import { functionName, starter } from '../model/parts'

/** Creates a tool with one initial parameter. */
export function CreateDialog({ onClose }: { onClose: () => void }) {
  const workspace = useSession().workspace_id
  const navigate = useNavigate()
  const refresh = useRefreshTools()
  const toast = useToast()
  const [name, setName] = useState('')
  const [description, setDescription] = useState('')
  const [code, setCode] = useState(true)
  const create = useMutation({
    mutationFn: () => {
      const { definition, execution } = starter(name, description.trim())
      return call(api.POST('/api/public/v2/tool-registry', { body: { name: name.trim(), description: description.trim() || null, tool_definition: definition, execution: code ? execution : null } }))
    },
    onSuccess: ({ tool_registry }) => {
      void refresh()
      toast.done(`${tool_registry.name} created`)
      void navigate({ to: '/$workspace/tools/$tool', params: { workspace: String(workspace), tool: String(tool_registry.id) }, search: {} })
    },
  })
  return (
    <FormDialog
      size="narrow"
      title="New tool"
      description="Starts with one parameter. You can edit the definition on the next page."
      action="Create"
      busy={create.isPending}
      ready={name.trim() !== ''}
      onSubmit={() => create.mutate()}
      onClose={onClose}
    >
      <Field label="Name" error={create.error?.message} hint={name.trim() === '' ? 'Must be unique in the workspace.' : <>Models call it <code className="font-mono text-xs">{functionName(name)}</code>.</>}>
        {(control) => <Input {...control} autoFocus maxLength={255} placeholder="parcel status" value={name} onChange={(event) => setName(event.target.value)} />}
      </Field>
      <Field label="Description" hint="Models use it to decide when to call the tool.">
        {(control) => <Textarea {...control} rows={2} placeholder="Returns where a parcel is." value={description} onChange={(event) => setDescription(event.target.value)} />}
      </Field>
      <label className="flex items-start gap-2">
        <Checkbox className="mt-0.5" checked={code} onChange={(event) => setCode(event.target.checked)} />
        <span>With code<span className="block text-[13px] text-faint">The registry can run the tool. Without code, your application runs it.</span></span>
      </label>
    </FormDialog>
  )
}
