import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { useSession } from '@/api/session'
import { EmptyState, LoadError, Loading } from '@/ui/page'
import { Segments } from '@/ui/segments'
import { ComparedVersions } from '@/ui/versions'
import { versionQuery, versionsQuery } from './data'
import { DefinitionChanges, WholeDiff } from './definition-changes'
import { definitionOf } from './model/definition'
import { diffDefinitions, summarize } from './model/diff'

/** Compares two versions. */
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
  if (latest === 1) return <EmptyState title="Only one version">Save another version to compare them.</EmptyState>
  return (
    <div className="flex flex-col gap-3 p-4">
      <div className="flex flex-wrap items-center gap-2">
        <ComparedVersions versions={versions.data?.items ?? []} before={before} after={after} onChange={show} />
        {left.data && right.data && <span className="text-[13px] text-dim">{summarize(diffDefinitions(definitionOf(left.data), definitionOf(right.data)))}</span>}
        <span className="ml-auto"><Segments label="Show" value={whole ? 'whole' : 'nodes'} options={[{ value: 'nodes', label: 'Nodes' }, { value: 'whole', label: 'Full JSON' }]} onChange={(value) => setWhole(value === 'whole')} /></span>
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
