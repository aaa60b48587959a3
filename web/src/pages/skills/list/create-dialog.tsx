import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { FileUp, FolderUp, X } from 'lucide-react'
import { useState } from 'react'
import { api, call } from '@/api/client'
import { useSession } from '@/api/session'
import { bytes } from '@/lib/format'
import { Button, IconButton } from '@/ui/button'
import { Field, Input, Select } from '@/ui/field'
import { FormDialog } from '@/ui/form-dialog'
import { useToast } from '@/ui/toast'
import { createFromArchive, useRefreshSkills } from '../data'
import { beginningOf, isArchive, readChosen, type Chosen } from '../files/chosen'
import { chooseFiles } from '../files/choose'
import { DropArea } from '../files/drop-area'
import { providers } from '../files/layout'

const firstFile = (name: string) => ({
  path: 'SKILL.md',
  content: `---\nname: ${name}\ndescription: Describe in one sentence what this skill does and when to use it.\n---\n\n# ${name}\n\n1. \n`,
})

/** Creates a collection from chosen files, from an archive, or with an initial file. */
export function CreateDialog({ begun, onClose }: { begun: Chosen[]; onClose: () => void }) {
  const workspace = useSession().workspace_id
  const navigate = useNavigate()
  const refresh = useRefreshSkills()
  const toast = useToast()
  const [first] = useState(() => beginningOf(begun))
  const [chosen, setChosen] = useState(first.files)
  const [name, setName] = useState(first.name)
  const [provider, setProvider] = useState('')
  const add = (added: Chosen[]) => {
    const { name: suggested, files: more } = beginningOf(added)
    setChosen((old) => [...old.filter(({ path }) => !more.some((one) => one.path === path)), ...more])
    if (name === '') setName(suggested)
  }
  const create = useMutation({
    mutationFn: async () => {
      const metadata = { name: name.trim(), commit_message: 'First version', ...(provider === '' ? {} : { provider }) }
      const [only] = chosen
      if (only !== undefined && chosen.length === 1 && isArchive(only)) return createFromArchive(metadata, only.file)
      const files = chosen.length === 0 ? [firstFile(name.trim())] : await readChosen(chosen)
      return call(api.POST('/api/public/v2/skill-collections', { body: { ...metadata, files } }))
    },
    onSuccess: ({ skill_collection }) => {
      void refresh()
      toast.done(skill_collection.name === name.trim() ? `${skill_collection.name} created` : `Created as ${skill_collection.name}, because ${name.trim()} already exists`)
      void navigate({ to: '/$workspace/skills/$skill', params: { workspace: String(workspace), skill: skill_collection.id }, search: {} })
    },
  })
  return (
    <FormDialog title="New skill collection" action="Create" busy={create.isPending} ready={name.trim() !== ''} onSubmit={() => create.mutate()} onClose={onClose}>
      <Field label="Name" hint="Agents pull the collection by this name. If it already exists, a number is added." error={create.error?.message}>
        {(control) => <Input {...control} autoFocus maxLength={255} value={name} onChange={(event) => setName(event.target.value)} />}
      </Field>
      <Field label="Provider" hint={provider === '' ? 'Detected from the files, such as CLAUDE.md.' : providers.find(({ value }) => value === provider)?.note}>
        {(control) => (
          <Select {...control} value={provider} onChange={(event) => setProvider(event.target.value)}>
            {providers.map(({ value, label }) => <option key={value} value={value}>{value === '' ? 'Detect from files' : label}</option>)}
          </Select>
        )}
      </Field>
      <ChosenFiles chosen={chosen} onAdd={add} onRemove={(path) => setChosen(chosen.filter((one) => one.path !== path))} />
      <DropArea words="Drop files, a folder or a zip archive" onFiles={add} />
    </FormDialog>
  )
}

function ChosenFiles({ chosen, onAdd, onRemove }: { chosen: Chosen[]; onAdd: (more: Chosen[]) => void; onRemove: (path: string) => void }) {
  const shown = chosen.slice(0, 50)
  return (
    <fieldset>
      <legend className="mb-1 text-[13px] font-medium text-dim">Files</legend>
      <div className="rounded-md border border-dashed border-line-strong p-3">
        {chosen.length === 0 ? (
          <p className="text-dim">Drop files, a folder or a zip archive here. Without files, the collection starts with a SKILL.md template.</p>
        ) : (
          <ul className="flex max-h-48 flex-col overflow-auto text-[13px]" tabIndex={0} aria-label="Chosen files">
            {shown.map(({ path, file }) => (
              <li key={path} className="flex items-center gap-2">
                <span className="min-w-0 flex-1 truncate font-mono text-xs">{path}</span>
                <span className="tabular text-xs text-faint">{bytes(file.size)}</span>
                <IconButton small label={`Remove ${path}`} onClick={() => onRemove(path)}><X /></IconButton>
              </li>
            ))}
            {chosen.length > shown.length && <li className="text-faint">and {chosen.length - shown.length} more</li>}
          </ul>
        )}
        <div className="mt-3 flex gap-2">
          <Button small onClick={() => void chooseFiles().then(onAdd)}><FileUp /> Choose files</Button>
          <Button small onClick={() => void chooseFiles({ folder: true }).then(onAdd)}><FolderUp /> Choose folder</Button>
        </div>
      </div>
    </fieldset>
  )
}
