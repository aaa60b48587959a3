import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useCallback, useMemo, useRef, useState } from 'react'
import { useSession } from '@/api/session'
import { CopyText } from '@/request/content'
import { BackLink, LoadError, Loading, Page } from '@/ui/page'
import { nextMatch } from '../model/find'
import { allCollapsed, revealed, visibleFor, type Collapsed } from '../model/rows'
import type { Search } from '../search'
import { CloseButton } from './close-button'
import type { Outline, TraceItem } from './data'
import { FindBar } from './find-bar'
import { SpanPanel } from './span-panel'
import { Totals } from './totals'
import { TreeView } from './tree-view'
import { useDelayed } from './use-delayed'
import { useFind } from './use-find'
import { useSums, useTrace, type TraceModel } from './use-trace'

/** One trace: its totals, its tree with the timeline, and the selected span. */
export function TracePage() {
  const { trace: id } = useParams({ from: '/$workspace/traces/$trace' })
  const { workspace_id: workspace } = useSession()
  const { trace, item, model, growing } = useTrace(workspace, id)
  const root = model?.spans[model.tree.roots[0] ?? 0]
  const content = trace.data === undefined || model === undefined ? (
    trace.isError ? <LoadError what="trace" error={trace.error} retry={() => void trace.refetch()} /> : <Loading label="Loading trace" />
  ) : (
    <Opened key={id} workspace={workspace} trace={trace.data} version={trace.dataUpdatedAt} item={item} model={model} growing={growing} />
  )
  return (
    <Page title={item?.name || root?.name || 'Trace'} fill lead={<BackLink to="/$workspace/traces">Traces</BackLink>} actions={<><span className="flex min-w-0 items-center gap-1"><code className="max-w-64 truncate font-mono text-xs text-faint">{id}</code><CopyText text={id} what="trace ID" /></span>{trace.data?.closed_at === null && <CloseButton workspace={workspace} id={id} />}</>}>
      {content}
    </Page>
  )
}

const nothingCollapsed: Collapsed = new Set()

function Opened({ workspace, trace, version, item, model, growing }: {
  workspace: number
  trace: Outline
  /** Changes with the trace. */
  version: number
  item: TraceItem | null
  model: TraceModel
  growing: boolean
}) {
  const search = useSearch({ from: '/$workspace/traces/$trace' })
  const navigate = useNavigate({ from: '/$workspace/traces/$trace' })
  const write = (next: Partial<Search>) => void navigate({ search: (old) => ({ ...old, ...next }), replace: true, resetScroll: false })
  const [span, setSpan] = useDelayed(search.span, (next) => write({ span: next }))
  const [find, setFind] = useDelayed(search.find, (next) => write({ find: next }))
  const { tree, ids } = model
  const selected = tree.indexOf.get(span ?? '') ?? tree.roots[0] ?? -1
  // A span that the link names is visible, because nothing is collapsed at first.
  const [collapsed, setCollapsed] = useState(nothingCollapsed)
  const sums = useSums(workspace, item, model, growing)
  const { finding, current, use } = useFind(workspace, trace.trace_id, version, model, find ?? '')
  const marked = useMemo(() => new Set(finding.matches), [finding.matches])
  const keys = useRef<HTMLDivElement>(null)
  const panel = useRef<HTMLElement>(null)
  const select = useCallback((index: number) => setSpan(ids[index]), [setSpan, ids])
  const step = (by: 1 | -1) => {
    const found = current()
    const next = nextMatch(found, tree, found.includes(selected) ? selected : by === 1 ? -1 : selected, by)
    if (next === undefined) return
    setCollapsed(revealed({ tree, ids, collapsed }, next))
    select(next)
  }
  const collapse = (next: Collapsed) => {
    setCollapsed(next)
    // The selection stays visible.
    const visible = visibleFor({ tree, ids, collapsed: next }, selected)
    if (visible !== selected) select(visible)
  }
  const toTree = () => keys.current?.focus({ preventScroll: true })
  return (
    <>
      <Totals workspace={workspace} trace={trace} item={item} model={model} growing={growing} />
      <div className="flex min-h-0 flex-1 flex-col lg:flex-row">
        <div className="flex min-h-0 min-w-0 flex-1 flex-col">
          <FindBar value={find ?? ''} finding={finding} current={selected} onUse={use} onChange={(text) => setFind(text === '' ? undefined : text)} onStep={step} onLeave={toTree} onExpand={() => setCollapsed(nothingCollapsed)} onCollapse={() => collapse(allCollapsed(tree, ids))} />
          <TreeView ref={keys} model={model} sums={sums} selected={selected} matches={marked} collapsed={collapsed} onSelect={select} onCollapse={collapse} onEnter={() => panel.current?.focus({ preventScroll: true })} />
        </div>
        <SpanPanel ref={panel} workspace={workspace} trace={trace.trace_id} model={model} sums={sums} index={selected} onLeave={toTree} />
      </div>
    </>
  )
}
