import { useState } from 'react'
import { Link, useParams } from '@tanstack/react-router'
import type { QueryState } from '@/query/state'
import { Input, Select } from '@/ui/field'
import { mostCharts, useDashboardChanges, useDashboards } from '../dashboards/data'
import type { Draft } from '../model/draft'
import { ChartEditor } from './chart-editor'

const newOne = 'new'

/** Adds a chart of the overview to an existing or a new dashboard. */
export function AddChart({ initial, state, onClose, onAdded }: { initial: Draft; state: QueryState; onClose: () => void; onAdded: (dashboard: number) => void }) {
  const { workspace } = useParams({ from: '/$workspace' })
  const { data: dashboards = [] } = useDashboards()
  const { create, update } = useDashboardChanges()
  const [target, setTarget] = useState<string | null>(null)
  const [name, setName] = useState('')
  const chosen = target ?? String(dashboards[0]?.id ?? newOne)
  const dashboard = dashboards.find(({ id }) => String(id) === chosen)
  const full = (dashboard?.charts.length ?? 0) >= mostCharts
  const done = { onSuccess: ({ id }: { id: number }) => onAdded(id) }
  return (
    <ChartEditor
      initial={initial}
      isNew
      state={state}
      action="Add to dashboard"
      ready={dashboard === undefined ? name.trim() !== '' : !full}
      busy={create.isPending || update.isPending}
      onClose={onClose}
      onSave={(chart) => {
        if (dashboard === undefined) create.mutate({ name: name.trim(), charts: [chart], state }, done)
        else update.mutate({ id: dashboard.id, charts: (old) => [...old, chart], done: `“${chart.title}” added to “${dashboard.name}”` }, done)
      }}
      footer={
        <div className="mr-auto flex min-w-0 flex-wrap items-center gap-2">
          <Select aria-label="Dashboard" className="max-w-56" value={chosen} onChange={(event) => setTarget(event.target.value)}>
            {dashboards.map(({ id, name: known }) => <option key={id} value={id}>{known}</option>)}
            <option value={newOne}>New dashboard</option>
          </Select>
          {dashboard === undefined && <Input aria-label="Dashboard name" placeholder="Name" className="w-48" maxLength={255} value={name} onChange={(event) => setName(event.target.value)} />}
          {full && <span className="text-[13px] text-bad">This dashboard already has {mostCharts} charts. <Link to="/$workspace/dashboards/$dashboard" params={{ workspace, dashboard: chosen }} search={{}} className="underline">Open it</Link></span>}
        </div>
      }
    />
  )
}
