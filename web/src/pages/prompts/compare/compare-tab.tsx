import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useSession } from '@/api/session'
import { promptQuery, type Version } from '@/template/data'
import { readTemplate } from '@/template/types'
import { CodeDiff } from '@/ui/code'
import { Switch } from '@/ui/field'
import { EmptyState, LoadError, Loading } from '@/ui/page'
import { Ago } from '@/ui/time'
import { ComparedVersions } from '@/ui/versions'
import type { Search } from '../search'
import { asText } from './as-text'

/** Compares two versions. */
export function CompareTab({ prompt, versions, search }: { prompt: string; versions: Version[]; search: Search }) {
  const { workspace_id: workspace } = useSession()
  const navigate = useNavigate({ from: '/$workspace/prompts/$prompt' })
  const [unified, setUnified] = useState(false)
  const latest = versions[0]?.number ?? 1
  const after = search.version ?? latest
  const before = search.compare ?? Math.max(after - 1, 1)
  const left = useQuery(promptQuery(workspace, prompt, before))
  const right = useQuery(promptQuery(workspace, prompt, after))
  if (versions.length < 2) return <EmptyState title="Only one version">Save another version to compare them.</EmptyState>
  const error = left.error ?? right.error
  return (
    <div className="flex flex-col gap-3 p-4 md:px-5">
      <div className="flex flex-wrap items-center gap-2">
        <ComparedVersions versions={versions} before={before} after={after} onChange={(compare, version) => void navigate({ search: { tab: 'compare', compare, version } })} />
        <span className="ml-auto hidden md:block"><Switch label="Unified view" checked={unified} onChange={setUnified} /></span>
      </div>
      <div className="grid gap-x-4 gap-y-1 text-[13px] text-dim md:grid-cols-2">
        <About version={versions.find(({ number }) => number === before)} />
        <About version={versions.find(({ number }) => number === after)} />
      </div>
      {error && <LoadError what="version" error={error} />}
      {!error && (left.data === undefined || right.data === undefined) && <Loading />}
      {left.data && right.data && <Difference before={asText(readTemplate(left.data.prompt_template), left.data.metadata)} after={asText(readTemplate(right.data.prompt_template), right.data.metadata)} unified={unified} />}
    </div>
  )
}

function About({ version }: { version: Version | undefined }) {
  if (version === undefined) return <p />
  return <p className="min-w-0 truncate">Version {version.number}: {version.commit_message ?? 'no message'}, by {version.created_by ?? 'an API key'}, <Ago at={version.created_at} /></p>
}

function Difference({ before, after, unified }: { before: string; after: string; unified: boolean }) {
  if (before === after) return <EmptyState title="No differences">Messages, tools, model and parameters are the same.</EmptyState>
  return <CodeDiff before={before} after={after} unified={unified} />
}
