import { useParams } from '@tanstack/react-router'
import { EmptyState, ErrorState, Loading, Page } from '@/ui/page'
import { ApiError } from '@/api/client'
import { DashboardsMenu } from './dashboards/dashboards-menu'
import { useDashboard } from './dashboards/data'
import { DashboardView } from './dashboards/dashboard-view'

/** A page of charts that somebody chose. */
export default function DashboardPage() {
  const { dashboard } = useParams({ from: '/$workspace/dashboards/$dashboard' })
  const loaded = useDashboard(Number(dashboard))
  if (loaded.data !== undefined) return <DashboardView key={loaded.data.id} dashboard={loaded.data} />
  const gone = loaded.error instanceof ApiError && [400, 404, 422].includes(loaded.error.status)
  return (
    <Page title="Dashboard" actions={<DashboardsMenu />}>
      {loaded.isPending ? <Loading /> : gone ? <EmptyState title="There is no such dashboard">It may have been deleted. The menu above lists those that are there.</EmptyState> : <ErrorState error={loaded.error} retry={() => void loaded.refetch()} />}
    </Page>
  )
}
