import { Page } from '@/ui/page'

export default function AnalyticsPage() {
  return <Page title="Analytics">…</Page>
}
