import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useSession } from '@/api/session'
import { promptQuery, versionsQuery } from '@/template/data'
import { versionNote } from '@/template/version-words'
import { Combobox } from '@/ui/combobox'
import { FormDialog } from '@/ui/form-dialog'
import { promptNamesQuery } from '../data'
import type { Script, Source } from '../model/session'
import { scriptOfVersion } from '../model/start'

export interface ChosenVersion {
  script: Script
  metadata: Record<string, unknown> | null
}

/** The maximum number of names; typing finds the rest. */
const mostShown = 100

/** Selects a prompt and one of its versions. */
export function VersionDialog({ title, action, source, onChoose, onClose }: {
  title: string
  action: string
  /** The initial selection. */
  source: Source | null
  onChoose: (chosen: ChosenVersion) => void
  onClose: () => void
}) {
  const { workspace_id: workspace } = useSession()
  const queryClient = useQueryClient()
  const [typed, setTyped] = useState('')
  const [prompt, setPrompt] = useState(source === null ? null : { id: source.prompt, name: source.name })
  const [version, setVersion] = useState<number | null>(null)
  const all = useQuery(promptNamesQuery(workspace)).data ?? []
  const prompts = all.filter(({ name }) => name.toLowerCase().includes(typed.trim().toLowerCase())).slice(0, mostShown)
  const versions = useInfiniteQuery({ ...versionsQuery(workspace, String(prompt?.id)), enabled: prompt !== null }).data?.pages.flatMap(({ items }) => items) ?? []
  // Preselect the latest version that is not on the page yet.
  const chosen = version ?? versions.find(({ number }) => prompt?.id !== source?.prompt || number !== source?.version)?.number
  const load = useMutation({
    mutationFn: () => queryClient.fetchQuery(promptQuery(workspace, String(prompt?.id), chosen)),
    onSuccess: (found) => {
      onChoose({ script: scriptOfVersion(found), metadata: found.metadata })
      onClose()
    },
  })
  const known = prompt === null || prompts.some(({ id }) => id === prompt.id) ? prompts : [...prompts, prompt]
  return (
    <FormDialog
      size="narrow"
      title={title}
      action={action}
      busy={load.isPending}
      ready={prompt !== null && chosen !== undefined}
      error={load.error}
      className="gap-3"
      onSubmit={() => load.mutate()}
      onClose={onClose}
    >
      <div className="flex flex-col gap-1">
        <span className="text-[13px] font-medium text-dim">Prompt</span>
        <Combobox
          label="Prompt"
          className="w-full"
          placeholder="Choose a prompt…"
          options={known.map(({ id, name }) => ({ value: String(id), label: name }))}
          value={prompt === null ? null : String(prompt.id)}
          onSearch={setTyped}
          onChange={(value) => {
            setPrompt(known.find(({ id }) => String(id) === value) ?? null)
            setVersion(null)
            setTyped('')
          }}
        />
      </div>
      <div className="flex flex-col gap-1">
        <span className="text-[13px] font-medium text-dim">Version</span>
        <Combobox
          label="Version"
          className="w-full"
          placeholder={prompt === null ? 'Choose a prompt first' : 'No other version'}
          disabled={prompt === null}
          options={versions.map((one) => ({ value: String(one.number), label: `Version ${one.number}`, note: versionNote(one) }))}
          value={chosen === undefined ? null : String(chosen)}
          onChange={(value) => setVersion(Number(value))}
        />
      </div>
    </FormDialog>
  )
}
