import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useSession } from '@/api/session'
import { FolderChoice } from '@/folder/folder-choice'
import { promptsKey } from '@/template/data'
import { publish, refuseTaken } from '@/template/publish'
import { emptyTemplate } from '@/template/types'
import { Field, Input } from '@/ui/field'
import { FormDialog } from '@/ui/form-dialog'
import { useToast } from '@/ui/toast'

/** The kinds of a new template. */
export type NewKind = 'chat' | 'completion' | 'snippet'

const kinds: { value: NewKind; label: string; about: string }[] = [
  { value: 'chat', label: 'Chat prompt', about: 'Messages with roles, tools and a model' },
  { value: 'completion', label: 'Completion prompt', about: 'A single text that the model completes' },
  { value: 'snippet', label: 'Snippet', about: 'Text to reuse in many prompts with @@@name@@@' },
]

/** Creates a template with an empty first version and opens it. */
export function CreateDialog({ kind: first, folder, onClose }: { kind: NewKind; folder: number | null; onClose: () => void }) {
  const { workspace_id: workspace } = useSession()
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  const toast = useToast()
  const [kind, setKind] = useState(first)
  const [name, setName] = useState('')
  const [place, setPlace] = useState(folder)
  const create = useMutation({
    mutationFn: async () => {
      await refuseTaken(name.trim())
      return publish({ name: name.trim(), folder: place, isSnippet: kind === 'snippet', template: emptyTemplate(kind === 'chat' ? 'chat' : 'completion'), metadata: null, message: 'Created', labels: [] })
    },
    onSuccess: async (record) => {
      toast.done(`${record.prompt_name} created`)
      await queryClient.invalidateQueries({ queryKey: promptsKey(workspace) })
      onClose()
      await navigate({ to: '/$workspace/prompts/$prompt', params: { workspace: String(workspace), prompt: String(record.id) }, search: {} })
    },
  })
  return (
    <FormDialog
      size="narrow"
      title={kind === 'snippet' ? 'New snippet' : 'New prompt'}
      action="Create"
      busy={create.isPending}
      ready={name.trim() !== ''}
      onSubmit={() => create.mutate()}
      onClose={onClose}
    >
      <Field label="Name" hint="Applications fetch the prompt by this name. It cannot be changed later." error={create.error?.message}>
        {(control) => <Input {...control} autoFocus maxLength={512} placeholder={kind === 'snippet' ? 'tone' : 'support/welcome'} value={name} onChange={(event) => setName(event.target.value)} />}
      </Field>
      <fieldset>
        <legend className="mb-1 text-[13px] font-medium text-dim">Type</legend>
        <div className="flex flex-col gap-1.5">
          {kinds.map((one) => (
            <label key={one.value} className="flex cursor-pointer items-start gap-2.5 rounded-md border border-line px-3 py-2 hover:bg-hover has-checked:border-accent has-checked:bg-accent-soft">
              <input type="radio" name="kind" className="mt-0.5 accent-(--accent)" checked={kind === one.value} onChange={() => setKind(one.value)} />
              <span><span className="font-medium">{one.label}</span><span className="block text-[13px] text-dim">{one.about}</span></span>
            </label>
          ))}
        </div>
      </fieldset>
      <div className="flex flex-col gap-1">
        <span className="text-[13px] font-medium text-dim">Folder</span>
        <FolderChoice label="Folder" value={place} onChange={(chosen) => setPlace(chosen?.id ?? null)} />
      </div>
    </FormDialog>
  )
}
