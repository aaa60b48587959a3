import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { ArrowLeftRight } from 'lucide-react'
import { useState } from 'react'
import { useSession } from '@/api/session'
import { IconButton } from '@/ui/button'
import { CodeDiff } from '@/ui/code'
import { Field, Select, Switch } from '@/ui/field'
import { EmptyState, ErrorState, Loading } from '@/ui/page'
import { promptQuery, type Version } from '../data'
import { readTemplate } from '../editor/types'
import type { Search } from '../search'
import { versionNote } from '../versions/words'
import { asText } from './as-text'

/** Any two versions side by side. */
export function CompareTab({ prompt, versions, search }: { prompt: string; versions: Version[]; search: Search }) {
  const { workspace_id: workspace } = useSession()
  const navigate = useNavigate({ from: '/$workspace/prompts/$prompt' })
  const [unified, setUnified] = useState(false)
  const latest = versions[0]?.number ?? 1
  const after = search.version ?? latest
  const before = search.compare ?? Math.max(after - 1, 1)
  const left = useQuery(promptQuery(workspace, prompt, before))
  const right = useQuery(promptQuery(workspace, prompt, after))
  const choose = (chosen: { compare?: number; version?: number }) => void navigate({ search: { tab: 'compare', compare: before, version: after, ...chosen } })
  if (versions.length < 2) return <EmptyState title="There is one version only">Save another one to see what differs.</EmptyState>
  const error = left.error ?? right.error
  return (
    <div className="flex flex-col gap-3 p-4 md:px-5">
      <div className="flex flex-wrap items-end gap-2">
        <VersionChoice label="Before" versions={versions} value={before} onChange={(compare) => choose({ compare })} />
        <IconButton label="Swap the two" onClick={() => choose({ compare: after, version: before })}><ArrowLeftRight /></IconButton>
        <VersionChoice label="After" versions={versions} value={after} onChange={(version) => choose({ version })} />
        <span className="ml-auto hidden md:block"><Switch label="One above the other" checked={unified} onChange={setUnified} /></span>
      </div>
      {error && <ErrorState error={error} />}
      {!error && (left.data === undefined || right.data === undefined) && <Loading />}
      {left.data && right.data && <Difference before={asText(readTemplate(left.data.prompt_template), left.data.metadata)} after={asText(readTemplate(right.data.prompt_template), right.data.metadata)} unified={unified} />}
    </div>
  )
}

function Difference({ before, after, unified }: { before: string; after: string; unified: boolean }) {
  if (before === after) return <EmptyState title="They say the same">Messages, tools, model and parameters are equal.</EmptyState>
  return <CodeDiff before={before} after={after} unified={unified} />
}

function VersionChoice({ label, versions, value, onChange }: { label: string; versions: Version[]; value: number; onChange: (value: number) => void }) {
  return (
    <Field label={label} className="min-w-0">
      {(control) => (
        <Select {...control} className="max-w-60" value={value} onChange={(event) => onChange(Number(event.target.value))}>
          {!versions.some(({ number }) => number === value) && <option value={value}>Version {value}</option>}
          {versions.map((version) => <option key={version.number} value={version.number}>Version {version.number}{versionNote(version) ? `, ${versionNote(version)}` : ''}</option>)}
        </Select>
      )}
    </Field>
  )
}
