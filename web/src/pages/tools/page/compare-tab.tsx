import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useSession } from '@/api/session'
import { CodeDiff } from '@/ui/code'
import type { Language } from '@/ui/code-language'
import { EmptyState, LoadError, Loading } from '@/ui/page'
import { ComparedVersions } from '@/ui/versions'
import { toolQuery, versionsQuery, type Tool } from '../data'
import { partsOf } from '../model/parts'

/** Compares two versions: definition, code and response schema. */
export function CompareTab({ tool, latest }: { tool: number; latest: number }) {
  const workspace = useSession().workspace_id
  const search = useSearch({ from: '/$workspace/tools/$tool' })
  const navigate = useNavigate({ from: '/$workspace/tools/$tool' })
  const after = search.version ?? latest
  const before = search.compare ?? Math.max(after - 1, 1)
  const versions = useQuery(versionsQuery(workspace, tool))
  const left = useQuery({ ...toolQuery(workspace, tool, before), enabled: latest > 1 })
  const right = useQuery({ ...toolQuery(workspace, tool, after), enabled: latest > 1 })
  if (latest === 1) return <EmptyState title="Only one version">Save another version to compare them.</EmptyState>
  const error = left.error ?? right.error
  return (
    <div className="flex flex-col gap-4 p-4">
      <div className="flex flex-wrap items-center gap-2">
        <ComparedVersions versions={versions.data?.items ?? []} before={before} after={after} onChange={(compare, version) => void navigate({ search: (old) => ({ ...old, compare, version }) })} />
      </div>
      {error ? <LoadError what="version" error={error} /> : left.data === undefined || right.data === undefined ? <Loading /> : <Differences key={`${before} ${after}`} before={left.data} after={right.data} />}
    </div>
  )
}

function Differences({ before, after }: { before: Tool; after: Tool }) {
  const a = partsOf(before)
  const b = partsOf(after)
  const language = b.execution?.language ?? a.execution?.language ?? 'text'
  return (
    <>
      <Part title="Definition" before={a.definition} after={b.definition} language="json" />
      <Part title="Code" before={a.execution?.code ?? ''} after={b.execution?.code ?? ''} language={language} note={languageChange(a.execution?.language, b.execution?.language)} />
      <Part title="Response schema" before={a.schema} after={b.schema} language="json" />
    </>
  )
}

function languageChange(before: string | undefined, after: string | undefined): string | undefined {
  if (before === after) return undefined
  return before === undefined ? 'added' : after === undefined ? 'removed' : `changed from ${before} to ${after}`
}

function Part({ title, before, after, language, note }: { title: string; before: string; after: string; language: Language; note?: string }) {
  return (
    <section className="flex flex-col gap-1.5">
      <h2 className="text-[13px] font-semibold">{title} {(note ?? (before === after)) && <span className="ml-1 font-normal text-faint">{note ?? (after === '' ? 'none' : 'unchanged')}</span>}</h2>
      {before !== after && <CodeDiff before={before} after={after} language={language} />}
    </section>
  )
}
