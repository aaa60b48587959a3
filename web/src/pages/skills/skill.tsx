import { Page } from '@/ui/page'

export default function SkillPage() {
  return <Page title="Skill">…</Page>
}
