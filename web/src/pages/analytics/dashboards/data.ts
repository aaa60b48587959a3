import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { api, call, type Schemas } from '@/api/client'
import { useSession } from '@/api/session'
import type { QueryState } from '@/query/state'
import { useToast } from '@/ui/toast'
import type { ChartDefinition, ChartType } from '../model/definition'

export type Dashboard = Schemas['DashboardItem']

export const mostCharts = 50

function useKey() {
  return ['w', useSession().workspace_id, 'dashboards']
}

export function useDashboards() {
  const key = useKey()
  return useQuery({ queryKey: key, queryFn: async ({ signal }) => (await call(api.GET('/api/public/v2/dashboards', { signal }))).dashboards, staleTime: 60_000 })
}

export function useDashboard(id: number) {
  const key = useKey()
  return useQuery({ queryKey: [...key, id], queryFn: ({ signal }) => readDashboard(id, signal) })
}

async function readDashboard(id: number, signal?: AbortSignal): Promise<Dashboard> {
  return (await call(api.GET('/api/public/v2/dashboards/{dashboard_id}', { params: { path: { dashboard_id: id } }, signal }))).dashboard
}

/** Who sees a dashboard. */
export const everyone = 'Visible to everyone in the workspace'
export const mayNotEdit = 'Your role does not allow you to edit dashboards'

const chartTypes: ChartType[] = ['bar', 'line', 'area', 'pie', 'donut', 'histogram', 'heatmap', 'treemap', 'sunburst']

/** The charts of a dashboard. The server does not validate them, so other clients may have omitted parts. */
export function chartsOf(dashboard: Dashboard): ChartDefinition[] {
  return dashboard.charts.map((chart) => ({ ...chart, chartType: chartTypes.find((type) => type === chart.chartType) ?? 'bar' }))
}

/** The saved query of a dashboard. */
export function savedQuery({ state }: Dashboard): QueryState {
  const text = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined)
  return { q: text(state.q), range: text(state.range), from: text(state.from), to: text(state.to) }
}

interface Change {
  id: number
  name?: string
  state?: QueryState
  /** Computes the new charts from the current ones, which others may have changed in the meantime. */
  charts?: (old: ChartDefinition[]) => ChartDefinition[]
  /** The success message. */
  done: string
}

async function change({ id, name, state, charts }: Change): Promise<Dashboard> {
  const body = {
    ...(name === undefined ? {} : { name }),
    ...(state === undefined ? {} : { state: { ...state } }),
    ...(charts === undefined ? {} : { charts: charts(chartsOf(await readDashboard(id))).map((chart) => ({ ...chart })) }),
  }
  return (await call(api.PATCH('/api/public/v2/dashboards/{dashboard_id}', { params: { path: { dashboard_id: id } }, body }))).dashboard
}

export function useDashboardChanges() {
  const key = useKey()
  const queryClient = useQueryClient()
  const toast = useToast()
  const common = { onError: toast.failed, onSettled: () => queryClient.invalidateQueries({ queryKey: key, exact: true }) }
  const keep = (dashboard: Dashboard) => queryClient.setQueryData([...key, dashboard.id], dashboard)
  const create = useMutation({
    mutationFn: async ({ name, charts = [], state = {} }: { name: string; charts?: ChartDefinition[]; state?: QueryState }) =>
      (await call(api.POST('/api/public/v2/dashboards', { body: { name, charts: charts.map((chart) => ({ ...chart })), state: { ...state } } }))).dashboard,
    ...common,
    onSuccess: (dashboard) => {
      keep(dashboard)
      toast.done(`Dashboard “${dashboard.name}” created`)
    },
  })
  const update = useMutation({
    mutationFn: change,
    ...common,
    onSuccess: (dashboard, { done }) => {
      keep(dashboard)
      toast.done(done)
    },
  })
  const remove = useMutation({
    mutationFn: (dashboard: Dashboard) => call(api.DELETE('/api/public/v2/dashboards/{dashboard_id}', { params: { path: { dashboard_id: dashboard.id } } })),
    ...common,
    onSuccess: (_, dashboard) => {
      queryClient.removeQueries({ queryKey: [...key, dashboard.id] })
      toast.done(`Dashboard “${dashboard.name}” deleted`)
    },
  })
  return { create, update, remove }
}
