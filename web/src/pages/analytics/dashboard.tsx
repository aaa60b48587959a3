import { useParams } from '@tanstack/react-router'
import { EmptyState, ErrorState, Loading, Page } from '@/ui/page'
import { ApiError } from '@/api/client'
import { DashboardsMenu } from './dashboards/dashboards-menu'
import { useDashboard } from './dashboards/data'
import { DashboardView } from './dashboards/dashboard-view'

/** A dashboard: a page of selected charts. */
export default function DashboardPage() {
  const { dashboard } = useParams({ from: '/$workspace/dashboards/$dashboard' })
  const loaded = useDashboard(Number(dashboard))
  if (loaded.data !== undefined) return <DashboardView key={loaded.data.id} dashboard={loaded.data} />
  const gone = loaded.error instanceof ApiError && [400, 404, 422].includes(loaded.error.status)
  return (
    <Page title="Dashboard" actions={<DashboardsMenu />}>
      {loaded.isPending ? <Loading /> : gone ? <EmptyState title="Dashboard not found">It may have been deleted. Choose another one from the menu above.</EmptyState> : <ErrorState error={loaded.error} retry={() => void loaded.refetch()} />}
    </Page>
  )
}
