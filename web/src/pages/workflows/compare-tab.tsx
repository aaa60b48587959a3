import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { ArrowLeftRight } from 'lucide-react'
import { useState } from 'react'
import { useSession } from '@/api/session'
import { IconButton } from '@/ui/button'
import { Select } from '@/ui/field'
import { EmptyState, LoadError, Loading } from '@/ui/page'
import { Segments } from '@/ui/segments'
import { versionQuery, versionsQuery, type VersionItem } from './data'
import { DefinitionChanges, WholeDiff } from './definition-changes'
import { definitionOf } from './model/definition'
import { diffDefinitions, summarize } from './model/diff'

/** Two versions side by side. */
export function CompareTab({ workflow, latest }: { workflow: number; latest: number }) {
  const workspace = useSession().workspace_id
  const search = useSearch({ from: '/$workspace/workflows/$workflow' })
  const navigate = useNavigate({ from: '/$workspace/workflows/$workflow' })
  const after = search.version ?? latest
  const before = search.compare ?? Math.max(after - 1, 1)
  const [whole, setWhole] = useState(false)
  const versions = useQuery(versionsQuery(workspace, workflow))
  const left = useQuery(versionQuery(workspace, workflow, before))
  const right = useQuery(versionQuery(workspace, workflow, after))
  const show = (compare: number, version: number) => void navigate({ search: (old) => ({ ...old, compare, version }) })
  const error = left.error ?? right.error
  if (latest === 1) return <EmptyState title="There is one version">Edit the workflow and save it: then two versions can be compared here.</EmptyState>
  return (
    <div className="flex flex-col gap-3 p-4">
      <div className="flex flex-wrap items-center gap-2">
        <VersionSelect label="Before" versions={versions.data?.items ?? []} value={before} onChange={(number) => show(number, after)} />
        <IconButton small label="Swap the versions" onClick={() => show(after, before)}><ArrowLeftRight /></IconButton>
        <VersionSelect label="After" versions={versions.data?.items ?? []} value={after} onChange={(number) => show(before, number)} />
        {left.data && right.data && <span className="text-[13px] text-dim">{summarize(diffDefinitions(definitionOf(left.data), definitionOf(right.data)))}</span>}
        <span className="ml-auto"><Segments label="Show" value={whole ? 'whole' : 'nodes'} options={[{ value: 'nodes', label: 'Nodes' }, { value: 'whole', label: 'Whole JSON' }]} onChange={(value) => setWhole(value === 'whole')} /></span>
      </div>
      {error ? (
        <LoadError what="version" error={error} />
      ) : left.data === undefined || right.data === undefined ? (
        <Loading />
      ) : whole ? (
        <WholeDiff before={definitionOf(left.data)} after={definitionOf(right.data)} />
      ) : (
        <DefinitionChanges key={`${before} ${after}`} open before={definitionOf(left.data)} after={definitionOf(right.data)} />
      )}
    </div>
  )
}

function VersionSelect({ label, versions, value, onChange }: { label: string; versions: VersionItem[]; value: number; onChange: (number: number) => void }) {
  const known = versions.some((version) => version.number === value)
  return (
    <Select aria-label={label} className="max-w-60" value={value} onChange={(event) => onChange(Number(event.target.value))}>
      {!known && <option value={value}>Version {value}</option>}
      {versions.map((version) => (
        <option key={version.id} value={version.number}>
          Version {version.number}{version.release_labels.length > 0 ? ` (${version.release_labels.map(({ name }) => name).join(', ')})` : ''}
        </option>
      ))}
    </Select>
  )
}
