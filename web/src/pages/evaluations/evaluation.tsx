import { Page } from '@/ui/page'

export default function EvaluationPage() {
  return <Page title="Evaluation">…</Page>
}
