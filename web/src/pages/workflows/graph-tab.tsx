import { useNavigate, useSearch } from '@tanstack/react-router'
import { lazy, Suspense, useMemo, useState } from 'react'
import { useMay } from '@/api/session'
import { cn } from '@/lib/cn'
import { initialConfiguration, nameFor } from '@/step/node-types'
import { Loading } from '@/ui/page'
import { AddNodeDialog } from './editor/add-node'
import { InputsPanel } from './editor/inputs-panel'
import { NodeInspector } from './editor/inspector'
import type { Draft } from './editor/use-draft'
import { GraphToolbar } from './graph-toolbar'
import type { GraphProps } from './graph/graph'
import { addNode, changeConfiguration, freeName } from './model/edit'
import { withUnderWay } from './model/live'
import { NodeList } from './node-list'
import { Panel } from './panel'
import { RunPanel } from './run/run-panel'
import type { ShownRun } from './run/use-run'
import type { Search } from './search'
import { useView } from './use-view'

// The graph uses a large library, which is loaded on demand.
const Graph = lazy(() => import('./graph/graph'))

/** The graph or list of nodes, with the panel of the open item. */
export function GraphTab({ draft, run, latest, onSave, onRunAgain }: {
  /** The edits, or those of the shown dry run. */
  draft: Draft
  run: ShownRun | null
  latest: number
  onSave: () => void
  onRunAgain: () => void
}) {
  const search = useSearch({ from: '/$workspace/workflows/$workflow' })
  const navigate = useNavigate({ from: '/$workspace/workflows/$workflow' })
  const locked = !useMay('WORKFLOW_EDIT')
  const [adding, setAdding] = useState(false)
  const { definition } = draft
  const recorded = run?.results ?? null
  const results = useMemo(() => (recorded === null ? null : withUnderWay(definition, recorded)), [definition, recorded])
  const node = definition.nodes.find(({ name }) => name === search.node) ?? null
  const view = useView()
  const inputsOpen = search.panel === 'inputs'
  const go = (change: Partial<Search>, replace = false) => void navigate({ search: (old) => ({ ...old, ...change }), replace })
  const open = (name: string) => go({ node: name, panel: undefined }, search.node !== undefined)
  const close = () => go({ node: undefined, panel: undefined })
  const escape = () => (node !== null || inputsOpen ? close() : go({ run: undefined }))
  const add = (type: string) => {
    const name = freeName(definition, nameFor(type))
    const source = node?.name ?? definition.nodes.at(-1)?.name ?? Object.keys(definition.variables)[0] ?? ''
    const content = { name, node_type: type, is_output_node: definition.nodes.length === 0, dependencies: source === '' ? [] : [source], retries: 0 }
    draft.change((old) => changeConfiguration(addNode(old, { ...content, configuration: {} }), name, initialConfiguration(type, source)))
    open(name)
  }
  const graph: GraphProps = {
    definition, results, problems: draft.problems, marks: draft.marks, openNode: node?.name ?? null, inputsOpen,
    onOpen: open,
    onOpenInputs: () => go({ node: undefined, panel: 'inputs' }),
  }
  const panel =
    node !== null ? (
      <NodeInspector key={node.name} draft={draft} node={node} result={results?.[node.name] ?? null} trace={run?.ended === true ? (run.details?.trace_id ?? null) : null} locked={locked} onClose={close} onRenamed={(name) => go({ node: name }, true)} />
    ) : inputsOpen ? (
      <InputsPanel draft={draft} locked={locked} onClose={close} />
    ) : run !== null ? (
      <RunPanel run={run} workflow={draft.base.workflow_id} onClose={() => go({ run: undefined })} onOpenNode={open} onAgain={onRunAgain} onEdit={run.details?.dry_run === true && !draft.dirty && !locked ? () => draft.change((old) => old) : null} />
    ) : null
  return (
    <div className="flex h-full min-h-0 flex-col">
      <GraphToolbar draft={draft} latest={latest} locked={locked} onAdd={() => setAdding(true)} onSave={onSave} onOpenNode={open} />
      <div className="flex min-h-0 flex-1 flex-col md:flex-row" onKeyDown={(event) => { if (panel !== null && closes(event)) escape() }}>
        <div className={cn('relative min-h-0 min-w-0 flex-1', view === 'list' && 'overflow-auto')}>
          {view === 'list' ? (
            <NodeList {...graph} />
          ) : (
            <Suspense fallback={<Loading label="Loading graph" />}>
              <Graph {...graph} />
            </Suspense>
          )}
        </div>
        {panel !== null && (
          <Panel label={node !== null ? `Node ${node.name}` : inputsOpen ? 'Input variables' : 'Run'}>
            {panel}
          </Panel>
        )}
      </div>
      <AddNodeDialog open={adding} onOpenChange={setAdding} after={node?.name ?? null} onAdd={add} />
    </div>
  )
}

/** Reports whether a key closes the panel: Escape, except in an editor, which handles it. */
function closes({ key, defaultPrevented, target }: React.KeyboardEvent): boolean {
  return key === 'Escape' && !defaultPrevented && !(target instanceof Element && target.closest('.cm-editor') !== null)
}
