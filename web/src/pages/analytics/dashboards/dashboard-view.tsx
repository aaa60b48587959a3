import { useQueryClient, useIsFetching } from '@tanstack/react-query'
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { Ellipsis, LayoutDashboard, Pencil, Plus, RotateCcw, Save, ScrollText, Trash2 } from 'lucide-react'
import { useMemo, useState } from 'react'
import { useMayEditAny } from '@/api/session'
import { sourcesOf } from '@/query/production-switch'
import type { QueryState } from '@/query/state'
import { Button, IconButton, buttonClass } from '@/ui/button'
import { useConfirm } from '@/ui/dialog'
import { Menu, MenuItem, MenuSeparator } from '@/ui/menu'
import { NameDialog } from '@/ui/name-dialog'
import { BackLink, EmptyState, Page } from '@/ui/page'
import type { ChartActions } from '../drawing/types'
import { ChartEditor } from '../editor/chart-editor'
import type { ChartDefinition } from '../model/definition'
import { draftOf, newDraft, type Draft } from '../model/draft'
import { narrowTo, narrowToRange } from '../model/pick'
import { QueryStrip } from '../query-strip'
import { zoomed, zoomedOut, type Shown } from '../zoom'
import { ChartGrid } from './chart-grid'
import { DashboardsMenu } from './dashboards-menu'
import { chartsOf, everyone, mayNotEdit, mostCharts, savedQuery, useDashboardChanges, type Dashboard } from './data'
import { addressOf, isSaved, shownQuery } from './query'

export function DashboardView({ dashboard }: { dashboard: Dashboard }) {
  const { workspace } = useParams({ from: '/$workspace' })
  const search = useSearch({ from: '/$workspace/dashboards/$dashboard' })
  const navigate = useNavigate({ from: '/$workspace/dashboards/$dashboard' })
  const queryClient = useQueryClient()
  const charts = useMemo(() => chartsOf(dashboard), [dashboard])
  const { q, range, from, to } = shownQuery(search, savedQuery(dashboard))
  const sources = sourcesOf(search.sources)
  const state = useMemo((): QueryState => ({ q, range, from, to, sources }), [q, range, from, to, sources])
  const shown: Shown = { ...state, back: search.back }
  const [editing, setEditing] = useState<{ draft: Draft; isNew: boolean } | null>(null)
  const may = useMayEditAny()
  const { update } = useDashboardChanges()
  const key = ['w', Number(workspace), 'analytics']
  const busy = useIsFetching({ queryKey: key }) > 0
  const show = (next: Shown) => void navigate({ search: { ...addressOf(next) }, resetScroll: false })
  const save = (change: (old: ChartDefinition[]) => ChartDefinition[], done: string, then?: () => void) => update.mutate({ id: dashboard.id, charts: change, done }, { onSuccess: then })
  const actions: ChartActions = {
    syncKey: 'dashboard',
    onZoom: (start, end) => show(zoomed(shown, start, end)),
    onZoomOut: () => search.back !== undefined && show(zoomedOut(shown)),
    onNarrow: (parts) => show(narrowTo(shown, parts)),
    onNarrowRange: (field, low, high, key) => show(narrowToRange(shown, field, low, high, key)),
  }
  const add = () => setEditing({ draft: newDraft(), isNew: true })
  const full = charts.length >= mostCharts
  const addButton = <Button small look="primary" disabled={!may || full} title={!may ? mayNotEdit : full ? `A dashboard can have up to ${mostCharts} charts` : undefined} onClick={add}><Plus /> Add chart</Button>
  return (
    <Page
      title={dashboard.name}
      lead={<BackLink to="/$workspace/analytics">Analytics</BackLink>}
      actions={
        <>
          <Link to="/$workspace/requests" params={{ workspace }} search={{ ...state }} className={buttonClass('quiet', true)}><ScrollText /> View requests</Link>
          <DashboardsMenu current={dashboard.id} />
          {addButton}
          <DashboardMenu dashboard={dashboard} may={may} />
        </>
      }
    >
      <QueryStrip shown={shown} onChange={show} error={undefined} busy={busy} onRefresh={() => void queryClient.invalidateQueries({ queryKey: key })}>
        {!isSaved(state, savedQuery(dashboard)) && (
          <>
            <Button title="Return to the saved query" onClick={() => void navigate({ search: {} })}><RotateCcw /> Reset</Button>
            <Button disabled={!may} title={may ? 'Save as the default query for everyone' : mayNotEdit} onClick={() => update.mutate({ id: dashboard.id, state: { q, range, from, to }, done: `Default query of “${dashboard.name}” saved` })}><Save /> Save query</Button>
          </>
        )}
      </QueryStrip>
      {charts.length === 0 ? (
        <EmptyState icon={<LayoutDashboard />} title="No charts yet" action={addButton}>
          Add your own charts, or add charts from the analytics overview. Dashboards are visible to everyone in the workspace.
        </EmptyState>
      ) : (
        <ChartGrid charts={charts} state={state} actions={actions} may={may && !update.isPending} full={full} onEdit={(chart) => setEditing({ draft: draftOf(chart), isNew: false })} onChange={save} />
      )}
      {editing && (
        <ChartEditor
          initial={editing.draft}
          isNew={editing.isNew}
          state={state}
          action={editing.isNew ? 'Add to dashboard' : 'Save'}
          busy={update.isPending}
          onClose={() => setEditing(null)}
          onSave={(chart) => save(
            (old) => (editing.isNew ? [...old, chart] : old.map((one) => (one.id === chart.id ? chart : one))),
            editing.isNew ? `“${chart.title}” added` : `“${chart.title}” saved`,
            () => setEditing(null),
          )}
        />
      )}
    </Page>
  )
}

function DashboardMenu({ dashboard, may }: { dashboard: Dashboard; may: boolean }) {
  const { workspace } = useParams({ from: '/$workspace' })
  const navigate = useNavigate()
  const confirm = useConfirm()
  const [naming, setNaming] = useState<'rename' | 'copy' | null>(null)
  const { create, update, remove } = useDashboardChanges()
  const askToRemove = async () => {
    const count = dashboard.charts.length
    const yes = await confirm({ title: 'Delete this dashboard?', body: `“${dashboard.name}” and ${count === 1 ? 'its chart' : `its ${count} charts`} will be deleted for everyone in the workspace. Requests are not affected.`, action: 'Delete', danger: true })
    if (yes) remove.mutate(dashboard, { onSuccess: () => void navigate({ to: '/$workspace/analytics', params: { workspace }, search: {} }) })
  }
  const open = (id: number) => void navigate({ to: '/$workspace/dashboards/$dashboard', params: { workspace, dashboard: String(id) }, search: {} })
  const name = async (text: string) => {
    if (naming === 'rename') await update.mutateAsync({ id: dashboard.id, name: text, done: `Dashboard renamed to “${text}”` })
    else open((await create.mutateAsync({ name: text, charts: chartsOf(dashboard), state: savedQuery(dashboard) })).id)
  }
  return (
    <>
      <Menu trigger={<IconButton small label="Dashboard actions"><Ellipsis /></IconButton>}>
        <MenuItem disabled={!may} onSelect={() => setNaming('rename')}><Pencil /> Rename…</MenuItem>
        <MenuItem disabled={!may} onSelect={() => setNaming('copy')}><LayoutDashboard /> Duplicate…</MenuItem>
        <MenuSeparator />
        <MenuItem danger disabled={!may} onSelect={() => void askToRemove()}><Trash2 /> Delete…</MenuItem>
      </Menu>
      {naming && (
        <NameDialog
          title={naming === 'rename' ? 'Rename dashboard' : 'Duplicate dashboard'}
          hint={everyone}
          initial={naming === 'rename' ? dashboard.name : undefined}
          suggested={`${dashboard.name} (copy)`}
          action={naming === 'rename' ? 'Rename' : 'Duplicate'}
          onSave={name}
          onClose={() => setNaming(null)}
        />
      )}
    </>
  )
}
