import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api, call, type Schemas } from '@/api/client'
import { useMay, useSession } from '@/api/session'
import { Field, Input, Select } from '@/ui/field'
import { FormDialog } from '@/ui/form-dialog'
import { useToast } from '@/ui/toast'
import { skillPath, useRefreshSkills, versionsQuery, type Skill, type VersionItem } from '../data'
import { summarize } from '../files/draft'
import { providers } from '../files/layout'
import { FileMark } from './file-state'
import type { Draft } from './use-draft'

/** Saves the draft as a version, or the latest version again with a label or another provider. */
export function SaveDialog({ skill, draft, latest: current, onSaved, onClose }: { skill: Skill; draft: Draft; latest: number; onSaved: () => void; onClose: () => void }) {
  // The state when the dialog was opened, because saving changes which version is the latest.
  const [latest] = useState(current)
  const workspace = useSession().workspace_id
  const mayDeploy = useMay('SKILL_DEPLOY')
  const versions = useQuery(versionsQuery(workspace, skill.id)).data?.items ?? []
  const refresh = useRefreshSkills()
  const toast = useToast()
  const [message, setMessage] = useState('')
  const [label, setLabel] = useState('')
  const [provider, setProvider] = useState(skill.provider ?? '')
  const save = useMutation({
    mutationFn: () => {
      const body: Schemas['SaveSkillRequest'] = { ...(draft.dirty ? draft.changes : {}), commit_message: message.trim() || null, release_label: label.trim() || null }
      if (provider !== (skill.provider ?? '')) body.provider = provider
      return call(api.POST('/api/public/v2/skill-collections/{identifier}/versions', { params: skillPath(skill.id), body }))
    },
    onSuccess: async ({ version }) => {
      // Load the files of the new version first, so that the page does not show the old ones for a moment.
      await refresh()
      toast.done(`Version ${version?.number ?? latest + 1} saved`)
      onSaved()
    },
  })
  const states = Object.entries(draft.states)
  return (
    <FormDialog
      title={draft.dirty ? 'Save as new version' : 'Release latest version'}
      description={draft.dirty ? summarize(draft.states) : `Creates version ${latest + 1} with the same files and a label.`}
      action={`Save version ${Math.max(latest, draft.base) + 1}`}
      busy={save.isPending}
      onSubmit={() => save.mutate()}
      onClose={onClose}
    >
      {latest > draft.base && draft.dirty && (
        <p className="rounded-md bg-warn-soft px-3 py-2 text-[13px] text-warn">Version {latest} was saved while you were editing version {draft.base}. Your changes will be applied to version {latest}: files you edited are replaced, all others are kept.</p>
      )}
      {draft.dirty && states.length > 0 && (
        <ul aria-label="Changed files" tabIndex={0} className="max-h-40 overflow-auto rounded-md border border-line px-3 py-1.5 font-mono text-xs">
          {states.slice(0, 200).map(([path, state]) => <li key={path} className="flex gap-2 py-0.5"><FileMark state={state} /> <span className="truncate">{path}</span></li>)}
        </ul>
      )}
      <Field label="What changed" error={save.error?.message}>
        {(control) => <Input {...control} autoFocus value={message} onChange={(event) => setMessage(event.target.value)} />}
      </Field>
      <LabelField mayDeploy={mayDeploy} versions={versions} value={label} onChange={setLabel} />
      <Field label="Provider" hint={providers.find(({ value }) => value === provider)?.note}>
        {(control) => (
          <Select {...control} value={provider} onChange={(event) => setProvider(event.target.value)}>
            {/* The provider of a collection cannot be removed once set. */}
            {providers.filter(({ value }) => value !== '' || skill.provider === null).map(({ value, label: name }) => <option key={value} value={value}>{name}</option>)}
            {!providers.some(({ value }) => value === provider) && <option value={provider}>{provider}</option>}
          </Select>
        )}
      </Field>
    </FormDialog>
  )
}

function LabelField({ mayDeploy, versions, value, onChange }: { mayDeploy: boolean; versions: VersionItem[]; value: string; onChange: (label: string) => void }) {
  const taken = versions.flatMap(({ number, release_labels }) => release_labels.map(({ name }) => ({ name, number })))
  const moved = taken.find(({ name }) => name === value.trim())
  const hint = !mayDeploy ? 'Your role does not allow you to move labels.' : moved ? `This label moves here from version ${moved.number}.` : value.trim() === '' ? 'Optional. Agents can pull the version by its label.' : 'Creates a new label.'
  return (
    <Field label="Release label" hint={hint}>
      {(control) => (
        <>
          <Input {...control} disabled={!mayDeploy} maxLength={255} list="skill-labels" placeholder="prod" value={value} onChange={(event) => onChange(event.target.value)} />
          <datalist id="skill-labels">{taken.map(({ name }) => <option key={name} value={name} />)}</datalist>
        </>
      )}
    </Field>
  )
}
