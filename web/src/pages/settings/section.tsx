import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { LockKeyhole } from 'lucide-react'
import type { ReactNode } from 'react'
import { useSession } from '@/api/session'
import { sections, type SectionId } from '@/shell/settings-sections'
import { Select } from '@/ui/field'
import { EmptyState, Page } from '@/ui/page'
import type { Search } from './search'

/** The frame of a section: its content beside the list of all sections. */
export function Section({ id, actions, children }: { id: SectionId; actions?: ReactNode; children: ReactNode }) {
  const section = sections.find((one) => one.id === id) ?? sections[0]
  return (
    <Page title={section.title} lead={<span className="hidden text-faint md:inline">Settings /</span>} actions={actions} className="flex flex-col md:flex-row">
      <SectionList current={id} />
      <div className="flex min-w-0 flex-1 flex-col gap-4 p-4 md:p-5">
        <p className="max-w-3xl text-dim">{section.about}</p>
        {children}
      </div>
    </Page>
  )
}

function SectionList({ current }: { current: SectionId }) {
  const { workspace } = useParams({ from: '/$workspace' })
  const navigate = useNavigate()
  return (
    <>
      <div className="border-b border-line bg-surface px-4 py-2 md:hidden">
        <Select
          aria-label="Section"
          className="w-full"
          value={current}
          onChange={(event) => void navigate({ to: '/$workspace/settings/$section', params: { workspace, section: event.target.value }, search: {} })}
        >
          {sections.map(({ id, title }) => <option key={id} value={id}>{title}</option>)}
        </Select>
      </div>
      <nav aria-label="Sections" className="hidden w-48 shrink-0 flex-col gap-px border-r border-line p-2 md:flex">
        {sections.map(({ id, title }) => (
          <Link
            key={id}
            to="/$workspace/settings/$section"
            params={{ workspace, section: id }}
            search={{}}
            activeOptions={{ includeSearch: false }}
            className="rounded-md px-2.5 py-1.5 text-dim hover:bg-hover hover:text-ink [&.active]:bg-accent-soft [&.active]:font-medium [&.active]:text-accent-ink"
          >
            {title}
          </Link>
        ))}
      </nav>
    </>
  )
}

/** Shown in place of content the user may not see. */
export function NotAllowed({ permission, children }: { permission: string; children: ReactNode }) {
  const session = useSession()
  const roles = session.workspaces.find(({ id }) => id === session.workspace_id)?.roles ?? []
  return (
    <div className="rounded-lg border border-line bg-surface">
      <EmptyState icon={<LockKeyhole />} title="Access denied">
        <p>{children}</p>
        <p className="mt-2">
          Required permission: <code className="font-mono text-xs">{permission}</code>. Your roles here: {roles.length > 0 ? roles.join(', ') : 'none'}.
        </p>
      </EmptyState>
    </div>
  )
}

/** The search parameters of the open section, and a function to change them. */
export function useSectionSearch(): [Search, (change: Partial<Search>, replace?: boolean) => void] {
  const search = useSearch({ from: '/$workspace/settings/$section' })
  const navigate = useNavigate({ from: '/$workspace/settings/$section' })
  return [search, (change, replace = false) => void navigate({ search: (old) => ({ ...old, ...change }), replace })]
}

/** Whether the dialog for a new item is open. Closing it leaves no entry in the history. */
export function useNewWindow(): [boolean, (open: boolean) => void] {
  const [search, change] = useSectionSearch()
  return [search.new === true, (open) => change({ new: open ? true : undefined }, !open)]
}
