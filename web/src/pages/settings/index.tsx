import { useParams } from '@tanstack/react-router'
import type { ComponentType } from 'react'
import type { SectionId } from '@/shell/settings-sections'
import { NotFound } from '@/ui/page'
import { AccountSection } from './account'
import { AuditSection } from './audit'
import { EnvironmentSection } from './environment'
import { ExportsSection } from './exports'
import { HealthSection } from './health'
import { ImportsSection } from './imports'
import { KeysSection } from './keys'
import { MembersSection } from './members'
import { PricesSection } from './prices'
import { ProvidersSection } from './providers'
import { RedactionSection } from './redaction'
import { RetentionSection } from './retention'
import { RolesSection } from './role-table'
import { WebhooksSection } from './webhooks'
import { WorkspacesSection } from './workspaces'

const components: Record<SectionId, ComponentType> = {
  account: AccountSection,
  workspaces: WorkspacesSection,
  members: MembersSection,
  roles: RolesSection,
  keys: KeysSection,
  providers: ProvidersSection,
  environment: EnvironmentSection,
  prices: PricesSection,
  redaction: RedactionSection,
  retention: RetentionSection,
  imports: ImportsSection,
  exports: ExportsSection,
  webhooks: WebhooksSection,
  audit: AuditSection,
  health: HealthSection,
}

export default function SettingsPage() {
  const { section } = useParams({ from: '/$workspace/settings/$section' })
  const Content = section in components ? components[section as SectionId] : NotFound
  return <Content />
}
