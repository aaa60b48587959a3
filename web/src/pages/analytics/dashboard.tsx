import { Page } from '@/ui/page'

export default function DashboardPage() {
  return <Page title="Dashboard">…</Page>
}
