import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { api, call } from '@/api/client'
import { useMay, useSession } from '@/api/session'
import { FolderChoice } from '@/folder/folder-choice'
import { abTestsQuery, labelsQuery, promptQuery, promptsKey, type Version } from '@/template/data'
import { publish, refuseTaken } from '@/template/publish'
import { labelOptions } from '@/template/release'
import { Field, Input, Textarea } from '@/ui/field'
import { FormDialog } from '@/ui/form-dialog'
import { LabelChoice } from '@/ui/label-choice'
import { Ago } from '@/ui/time'
import { useToast } from '@/ui/toast'
import type { Draft } from './draft'
import { SnippetWarning } from './snippet-usage'

/** Saves the edits as a new version, or as a new template. */
export function SaveDialog({ draft, versions, onClose }: { draft: Draft; versions: Version[]; onClose: () => void }) {
  const { workspace_id: workspace } = useSession()
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const toast = useToast()
  const mayDeploy = useMay('PROMPT_DEPLOY')
  const mayCreate = useMay('PROMPT_CREATE')
  const { base } = draft
  const [asNew, setAsNew] = useState(!draft.dirty)
  const [name, setName] = useState(`${base.prompt_name} copy`)
  const [folder, setFolder] = useState<number | null>(null)
  const [message, setMessage] = useState('')
  const [chosen, setChosen] = useState<string[]>([])
  // The latest version when the dialog was opened; a newer one is by someone else.
  const [knownLatest, setKnownLatest] = useState(versions[0]?.number ?? base.version)
  const [newer, setNewer] = useState<Version | null>(null)
  const labels = useQuery(labelsQuery(workspace, String(base.id))).data ?? []
  const tests = useQuery(abTestsQuery(workspace, base.id)).data ?? []
  const save = useMutation({
    mutationFn: async () => {
      if (asNew) await refuseTaken(name.trim())
      else {
        const { items } = await call(api.GET('/prompt-templates/{identifier}/versions', { params: { path: { identifier: String(base.id) }, query: { per_page: 1 } } }))
        const latest = items[0]
        if (latest !== undefined && latest.number > knownLatest) {
          setKnownLatest(latest.number)
          setNewer(latest)
          return null
        }
      }
      return publish({
        name: asNew ? name.trim() : base.prompt_name, template: draft.template, metadata: draft.metadata, message, labels: chosen,
        ...(asNew ? { folder, isSnippet: base.is_snippet } : {}),
      })
    },
    onSuccess: async (record) => {
      if (record === null) return
      const prompt = String(record.id)
      toast.done(asNew ? `${record.prompt_name} created` : `Version ${record.version_number} saved`)
      const saved = await queryClient.fetchQuery({ ...promptQuery(workspace, prompt), staleTime: 0 })
      draft.begin(asNew ? base : saved)
      onClose()
      void queryClient.invalidateQueries({ queryKey: promptsKey(workspace) })
      await navigate({ to: '/$workspace/prompts/$prompt', params: { workspace: String(workspace), prompt }, search: {}, ignoreBlocker: true })
    },
  })
  return (
    <FormDialog
      title={asNew ? 'Save as new prompt' : `Save version ${knownLatest + 1} of ${base.prompt_name}`}
      description={asNew ? `${base.prompt_name} is not changed.` : `Based on version ${base.version}. Earlier versions are not changed.`}
      action={asNew ? 'Create' : newer ? `Save anyway as version ${knownLatest + 1}` : `Save version ${knownLatest + 1}`}
      busy={save.isPending}
      ready={!asNew || name.trim() !== ''}
      error={save.error}
      onSubmit={() => save.mutate()}
      onClose={onClose}
    >
      {newer && !asNew && <Conflict newer={newer} base={base.version} prompt={String(base.id)} />}
      <div className="flex flex-wrap gap-x-5 gap-y-1">
        <label className={`inline-flex items-center gap-2 ${draft.dirty ? '' : 'text-faint'}`}><input type="radio" name="target" className="accent-(--accent)" disabled={!draft.dirty} checked={!asNew} onChange={() => setAsNew(false)} /> New version{draft.dirty ? '' : ' (no changes)'}</label>
        {mayCreate && <label className="inline-flex items-center gap-2"><input type="radio" name="target" className="accent-(--accent)" checked={asNew} onChange={() => setAsNew(true)} /> New prompt</label>}
      </div>
      {!asNew && draft.template.type === 'completion' && <SnippetWarning prompt={base} />}
      {asNew && (
        <>
          <Field label="Name">{(control) => <Input {...control} maxLength={512} value={name} onChange={(event) => setName(event.target.value)} />}</Field>
          <div className="flex flex-col gap-1">
            <span className="text-[13px] font-medium text-dim">Folder</span>
            <FolderChoice label="Folder" value={folder} onChange={(next) => setFolder(next?.id ?? null)} />
          </div>
        </>
      )}
      <Field label="What changed" hint="Shown in the version history.">
        {(control) => <Textarea {...control} rows={2} autoFocus maxLength={1000} value={message} onChange={(event) => setMessage(event.target.value)} />}
      </Field>
      <LabelChoice labels={asNew ? [] : labelOptions(labels, tests)} allowed={mayDeploy} value={chosen} onChange={setChosen} />
    </FormDialog>
  )
}

function Conflict({ newer, base, prompt }: { newer: Version; base: number; prompt: string }) {
  const { workspace_id: workspace } = useSession()
  return (
    <div role="alert" className="rounded-md bg-warn-soft px-3 py-2 text-[13px] text-warn">
      {newer.created_by ?? 'Someone'} saved version {newer.number} while you were editing (<Ago at={newer.created_at} />{newer.commit_message ? `: ${newer.commit_message}` : ''}). Saving now creates a version without those changes.{' '}
      <Link target="_blank" to="/$workspace/prompts/$prompt" params={{ workspace: String(workspace), prompt }} search={{ tab: 'compare', compare: base, version: newer.number }} className="underline">View their changes</Link>
    </div>
  )
}
