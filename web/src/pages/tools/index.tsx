import { Page } from '@/ui/page'

export default function ToolsPage() {
  return <Page title="Tools">…</Page>
}
