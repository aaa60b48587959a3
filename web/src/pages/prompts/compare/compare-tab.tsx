import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useSession } from '@/api/session'
import { Compare, comparedIn } from '@/registry/compare'
import { promptQuery, type Prompt, type Version } from '@/template/data'
import { readTemplate } from '@/template/types'
import { CodeDiff } from '@/ui/code'
import { Switch } from '@/ui/field'
import { EmptyState } from '@/ui/page'
import { Ago } from '@/ui/time'
import type { Search } from '../search'
import { asText } from './as-text'

/** Compares two versions. */
export function CompareTab({ prompt, versions, search }: { prompt: string; versions: Version[]; search: Search }) {
  const { workspace_id: workspace } = useSession()
  const navigate = useNavigate({ from: '/$workspace/prompts/$prompt' })
  const [unified, setUnified] = useState(false)
  const compared = comparedIn(search, versions[0]?.number ?? 1)
  const text = ({ prompt_template, metadata }: Prompt) => asText(readTemplate(prompt_template), metadata)
  return (
    <Compare
      {...compared}
      versions={versions}
      count={versions.length}
      left={useQuery(promptQuery(workspace, prompt, compared.before))}
      right={useQuery(promptQuery(workspace, prompt, compared.after))}
      onChange={(compare, version) => void navigate({ search: { tab: 'compare', compare, version } })}
      beside={
        <>
          <span className="ml-auto hidden md:block"><Switch label="Unified view" checked={unified} onChange={setUnified} /></span>
          <div className="grid w-full gap-x-4 gap-y-1 text-[13px] text-dim md:grid-cols-2">
            <About version={versions.find(({ number }) => number === compared.before)} />
            <About version={versions.find(({ number }) => number === compared.after)} />
          </div>
        </>
      }
      className="gap-3 p-4 md:px-5"
    >
      {(before, after) => <Difference before={text(before)} after={text(after)} unified={unified} />}
    </Compare>
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
