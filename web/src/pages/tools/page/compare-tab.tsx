import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useSession } from '@/api/session'
import { Compare, comparedIn } from '@/registry/compare'
import { CodeDiff } from '@/ui/code'
import type { Language } from '@/ui/code-language'
import { toolQuery, versionsQuery, type Tool } from '../data'
import { partsOf } from '../model/parts'

/** Compares two versions: definition, code and response schema. */
export function CompareTab({ tool, latest }: { tool: number; latest: number }) {
  const workspace = useSession().workspace_id
  const compared = comparedIn(useSearch({ from: '/$workspace/tools/$tool' }), latest)
  const navigate = useNavigate({ from: '/$workspace/tools/$tool' })
  return (
    <Compare
      {...compared}
      versions={useQuery(versionsQuery(workspace, tool)).data?.items ?? []}
      count={latest}
      left={useQuery({ ...toolQuery(workspace, tool, compared.before), enabled: latest > 1 })}
      right={useQuery({ ...toolQuery(workspace, tool, compared.after), enabled: latest > 1 })}
      onChange={(compare, version) => void navigate({ search: (old) => ({ ...old, compare, version }) })}
    >
      {(before, after) => <Differences key={`${compared.before} ${compared.after}`} before={before} after={after} />}
    </Compare>
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
