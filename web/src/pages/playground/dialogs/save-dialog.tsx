import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api, call } from '@/api/client'
import { useMay, useSession } from '@/api/session'
import { FolderChoice } from '@/folder/folder-choice'
import { abTestsQuery, labelsQuery, promptsKey } from '@/template/data'
import { publish, refuseTaken } from '@/template/publish'
import { labelOptions } from '@/template/release'
import { Combobox } from '@/ui/combobox'
import { Field, Input, Textarea } from '@/ui/field'
import { FormDialog } from '@/ui/form-dialog'
import { LabelChoice } from '@/ui/label-choice'
import { useToast } from '@/ui/toast'
import { promptNamesQuery } from '../data'
import { fingerprint, scriptOf, setScript, type Column } from '../model/session'
import type { Playground } from '../use-playground'

/** Saves the messages and model of a column as a version of a prompt, usually the one they came from, or as a new prompt. */
export function SaveDialog({ column, playground: { session, change }, onClose }: { column: Column; playground: Playground; onClose: () => void }) {
  const { workspace_id: workspace } = useSession()
  const queryClient = useQueryClient()
  const toast = useToast()
  const mayDeploy = useMay('PROMPT_DEPLOY')
  const mayCreate = useMay('PROMPT_CREATE')
  const script = scriptOf(session, column)
  const { source } = script
  const [asNew, setAsNew] = useState(source === null)
  const [name, setName] = useState(source === null ? '' : `${source.name} copy`)
  const [folder, setFolder] = useState<number | null>(null)
  const [message, setMessage] = useState('')
  const [chosen, setChosen] = useState<string[]>([])
  const [into, setInto] = useState(source === null ? null : { id: source.prompt, name: source.name })
  const latest = useLatest(into?.id)
  const labels = useQuery({ ...labelsQuery(workspace, String(into?.id)), enabled: into !== null }).data ?? []
  const tests = useQuery({ ...abTestsQuery(workspace, into?.id ?? 0), enabled: into !== null }).data ?? []
  const save = useMutation({
    mutationFn: async () => {
      if (asNew || into === null) {
        await refuseTaken(name.trim())
        return publish({ name: name.trim(), template: script.template, metadata: column.metadata, message, labels: chosen, folder })
      }
      return publish({ name: into.name, template: script.template, metadata: column.metadata, message, labels: chosen })
    },
    onSuccess: (record) => {
      toast.done(asNew ? `${record.prompt_name} created` : `Version ${record.version_number} of ${record.prompt_name} saved`)
      // From now on the messages are those of the new version.
      const saved = { prompt: record.id, name: record.prompt_name, version: record.version_number, print: fingerprint(script.template) }
      change((old) => setScript(old, column.id, { ...script, source: saved }))
      void queryClient.invalidateQueries({ queryKey: promptsKey(workspace) })
      onClose()
    },
  })
  const next = latest === undefined ? null : latest + 1
  const newer = source !== null && into?.id === source.prompt && latest !== undefined && latest > source.version
  return (
    <FormDialog
      title={asNew ? 'Save as new prompt' : into === null ? 'Save as a new version' : `Save ${next === null ? 'a version' : `version ${next}`} of ${into.name}`}
      description={`Saves messages, tools, model and parameters${column.talk.length > 0 ? ', but not the conversation' : ''}. Earlier versions are not changed.`}
      action={asNew ? 'Create' : 'Save'}
      busy={save.isPending}
      ready={!(asNew ? name.trim() === '' : next === null)}
      error={save.error}
      onSubmit={() => save.mutate()}
      onClose={onClose}
    >
      {mayCreate && (
        <div className="flex flex-wrap gap-x-5 gap-y-1">
          <label className="inline-flex items-center gap-2"><input type="radio" name="target" className="accent-(--accent)" checked={!asNew} onChange={() => setAsNew(false)} /> New version of {into?.name ?? 'an existing prompt'}</label>
          <label className="inline-flex items-center gap-2"><input type="radio" name="target" className="accent-(--accent)" checked={asNew} onChange={() => setAsNew(true)} /> New prompt</label>
        </div>
      )}
      {!asNew && source === null && (
        <PromptChoice
          value={into}
          onChange={(chosen) => {
            setInto(chosen)
            setChosen([])
          }}
        />
      )}
      {newer && !asNew && (
        <p role="alert" className="rounded-md bg-warn-soft px-3 py-2 text-[13px] text-warn">
          You started from version {source.version}, but the latest is version {latest}. Saving now creates a version without those changes.
        </p>
      )}
      {asNew && (
        <>
          <Field label="Name" hint="Applications fetch the prompt by this name. It cannot be changed later.">{(control) => <Input {...control} maxLength={512} placeholder="support/welcome" value={name} onChange={(event) => setName(event.target.value)} />}</Field>
          <div className="flex flex-col gap-1">
            <span className="text-[13px] font-medium text-dim">Folder</span>
            <FolderChoice label="Folder" value={folder} onChange={(picked) => setFolder(picked?.id ?? null)} />
          </div>
        </>
      )}
      <Field label="What changed" hint="Shown in the version history.">
        {(control) => <Textarea {...control} rows={2} maxLength={1000} value={message} onChange={(event) => setMessage(event.target.value)} />}
      </Field>
      <LabelChoice labels={asNew ? [] : labelOptions(labels, tests)} allowed={mayDeploy} value={chosen} onChange={setChosen} />
    </FormDialog>
  )
}

/** The maximum number of names; typing finds the rest. */
const mostShown = 100

/** Selects the prompt that gets the version. */
function PromptChoice({ value, onChange }: { value: { id: number; name: string } | null; onChange: (prompt: { id: number; name: string }) => void }) {
  const { workspace_id: workspace } = useSession()
  const [typed, setTyped] = useState('')
  const all = useQuery(promptNamesQuery(workspace)).data ?? []
  const found = all.filter(({ name }) => name.toLowerCase().includes(typed.trim().toLowerCase())).slice(0, mostShown)
  return (
    <div className="flex flex-col gap-1">
      <span className="text-[13px] font-medium text-dim">Prompt</span>
      <Combobox
        label="Prompt"
        className="w-full"
        placeholder="Choose a prompt…"
        options={found.map(({ id, name }) => ({ value: String(id), label: name }))}
        value={value === null ? null : found.some(({ id }) => id === value.id) ? String(value.id) : value.name}
        onSearch={setTyped}
        onChange={(id) => {
          const prompt = all.find((one) => String(one.id) === id)
          if (prompt !== undefined) onChange(prompt)
          setTyped('')
        }}
      />
    </div>
  )
}

/** The number of the latest version, loaded when the dialog opens. */
function useLatest(prompt: number | undefined): number | undefined {
  const { workspace_id: workspace } = useSession()
  const { data } = useQuery({
    queryKey: [...promptsKey(workspace), String(prompt), 'latest-number'],
    queryFn: async () => (await call(api.GET('/prompt-templates/{identifier}/versions', { params: { path: { identifier: String(prompt) }, query: { per_page: 1 } } }))).items[0]?.number,
    enabled: prompt !== undefined,
    staleTime: 0,
    gcTime: 0,
  })
  return data
}
