import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { useSession } from '@/api/session'
import { Compare, comparedIn } from '@/registry/compare'
import { Segments } from '@/ui/segments'
import { versionQuery, versionsQuery } from './data'
import { DefinitionChanges, WholeDiff } from './definition-changes'
import { definitionOf } from './model/definition'
import { diffDefinitions, summarize } from './model/diff'

/** Compares two versions. */
export function CompareTab({ workflow, latest }: { workflow: number; latest: number }) {
  const workspace = useSession().workspace_id
  const compared = comparedIn(useSearch({ from: '/$workspace/workflows/$workflow' }), latest)
  const navigate = useNavigate({ from: '/$workspace/workflows/$workflow' })
  const [whole, setWhole] = useState(false)
  const view = <Segments label="Show" value={whole ? 'whole' : 'nodes'} options={[{ value: 'nodes', label: 'Nodes' }, { value: 'whole', label: 'Full JSON' }]} onChange={(value) => setWhole(value === 'whole')} />
  return (
    <Compare
      {...compared}
      versions={useQuery(versionsQuery(workspace, workflow)).data?.items ?? []}
      count={latest}
      left={useQuery(versionQuery(workspace, workflow, compared.before))}
      right={useQuery(versionQuery(workspace, workflow, compared.after))}
      onChange={(compare, version) => void navigate({ search: (old) => ({ ...old, compare, version }) })}
      summary={(before, after) => summarize(diffDefinitions(definitionOf(before), definitionOf(after)))}
      beside={<span className="ml-auto">{view}</span>}
      className="gap-3 p-4"
    >
      {(before, after) => whole
        ? <WholeDiff before={definitionOf(before)} after={definitionOf(after)} />
        : <DefinitionChanges key={`${compared.before} ${compared.after}`} open before={definitionOf(before)} after={definitionOf(after)} />}
    </Compare>
  )
}
