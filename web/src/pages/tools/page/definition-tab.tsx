import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { Save } from 'lucide-react'
import { useMay, useSession } from '@/api/session'
import { Button } from '@/ui/button'
import { useConfirm } from '@/ui/dialog'
import { VersionSelect } from '@/ui/versions'
import { versionsQuery } from '../data'
import { CodeCard, SchemaCard } from './code-card'
import { DefinitionCard } from './definition-card'
import type { Draft } from './use-draft'

/** One version of the tool, which can be edited into a new one. */
export function DefinitionTab({ draft, latest, onSave }: { draft: Draft; latest: number; onSave: () => void }) {
  const readOnly = !useMay('TOOL_EDIT')
  return (
    <>
      <VersionBar draft={draft} latest={latest} onSave={onSave} />
      <div className="min-h-0 flex-1 overflow-auto p-4" tabIndex={0} role="group" aria-label="Tool version">
        <div className="mx-auto grid max-w-7xl items-start gap-4 lg:grid-cols-2">
          <DefinitionCard draft={draft} readOnly={readOnly} />
          <div className="flex min-w-0 flex-col gap-4">
            <CodeCard draft={draft} readOnly={readOnly} />
            <SchemaCard key={draft.base.version.id} draft={draft} readOnly={readOnly} />
          </div>
        </div>
      </div>
    </>
  )
}

function VersionBar({ draft, latest, onSave }: { draft: Draft; latest: number; onSave: () => void }) {
  const { workspace_id } = useSession()
  const navigate = useNavigate({ from: '/$workspace/tools/$tool' })
  const mayEdit = useMay('TOOL_EDIT')
  const { version } = draft.base
  const versions = useQuery(versionsQuery(workspace_id, draft.base.id)).data?.items ?? []
  const confirm = useConfirm()
  const discard = async () => {
    if (await confirm({ title: 'Discard changes?', body: `Your changes since version ${version.number} will be lost.`, action: 'Discard', danger: true })) draft.discard()
  }
  const problem = draft.problems.definition ?? draft.problems.schema
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1.5 border-b border-line bg-surface px-4 py-1.5 text-[13px]">
      <VersionSelect label="Version" versions={versions} value={version.number} onChange={(next) => void navigate({ search: { version: next === latest ? undefined : next } })} />
      <span className="min-w-0 flex-1 truncate text-dim">{draft.dirty ? `Unsaved changes since version ${version.number}` : version.commit_message}</span>
      {version.number !== latest && !draft.dirty && (
        <Link from="/$workspace/tools/$tool" to="." search={{ tab: 'compare', compare: version.number, version: latest }} className="text-accent-ink hover:underline">Compare with latest</Link>
      )}
      <span className="flex gap-2">
        {draft.dirty && <Button small onClick={() => void discard()}>Discard</Button>}
        <Button small look="primary" disabled={!mayEdit || problem !== null || (!draft.dirty && version.number === latest)} title={!mayEdit ? 'Your role does not allow you to edit tools' : (problem ?? (draft.dirty ? undefined : version.number === latest ? 'No changes to save' : undefined))} onClick={onSave}>
          <Save /> {!draft.dirty && version.number !== latest ? 'Restore this version' : 'Save version'}
        </Button>
      </span>
    </div>
  )
}
