import { Page } from '@/ui/page'

export default function ToolPage() {
  return <Page title="Tool">…</Page>
}
