import { Page } from '@/ui/page'

export default function PlaygroundPage() {
  return <Page title="Playground">…</Page>
}
