import { Page } from '@/ui/page'

export default function SkillsPage() {
  return <Page title="Skills">…</Page>
}
