import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { useMay, useSession } from '@/api/session'
import { useLeaveGuard } from '@/registry/leave-guard'
import { BackLink, LoadError, Loading, Page } from '@/ui/page'
import { TabPanel, Tabs } from '@/ui/tabs'
import { toolQuery, type Tool } from './data'
import { CompareTab } from './page/compare-tab'
import { DefinitionTab } from './page/definition-tab'
import { EnvironmentTab } from './page/environment-tab'
import { SaveDialog } from './page/save-dialog'
import { TestTab } from './page/test-tab'
import { ToolMenu } from './page/tool-menu'
import { useDraft } from './page/use-draft'
import { VersionsTab } from './page/versions-tab'
import { readSearch, type Search } from './search'

/** One tool: its definition and code, versions, test runs and variables. */
export default function ToolPage() {
  const { tool } = useParams({ from: '/$workspace/tools/$tool' })
  const { version } = useSearch({ from: '/$workspace/tools/$tool' })
  const { workspace_id } = useSession()
  const id = Number(tool)
  const latest = useQuery(toolQuery(workspace_id, id))
  const numbered = useQuery({ ...toolQuery(workspace_id, id, version), enabled: version !== undefined })
  const shown = version === undefined ? latest : numbered
  const lead = <BackLink to="/$workspace/tools">Tools</BackLink>
  if (shown.data === undefined || latest.data === undefined) {
    const error = latest.error ?? shown.error
    const newest = <Link from="/$workspace/tools/$tool" to="." search={{}} className="text-accent-ink underline">Open latest version</Link>
    return (
      <Page title="Tool" lead={lead}>
        {error === null ? <Loading /> : latest.data === undefined ? <LoadError what="tool" error={error} retry={() => void latest.refetch()} /> : <LoadError what="version" error={error} retry={() => void shown.refetch()} action={newest} />}
      </Page>
    )
  }
  return <Loaded key={id} shown={shown.data} latest={latest.data} lead={lead} />
}

function Loaded({ shown, latest, lead }: { shown: Tool; latest: Tool; lead: React.ReactNode }) {
  const search = useSearch({ from: '/$workspace/tools/$tool' })
  const navigate = useNavigate({ from: '/$workspace/tools/$tool' })
  const mayEdit = useMay('TOOL_EDIT')
  const draft = useDraft(shown)
  const [saving, setSaving] = useState(false)
  const newest = latest.version.number
  const { number } = draft.base.version
  useLeaveGuard({
    dirty: draft.dirty,
    body: `Your changes to ${draft.base.name} since version ${number} are not saved and will be lost.`,
    keeps: (next) => {
      const { tab = 'definition', version = newest } = readSearch(next)
      return tab !== 'definition' || version === number
    },
    discard: draft.discard,
  })
  const show = (tab: NonNullable<Search['tab']>) => {
    // Unsaved edits belong to the version they started from.
    const version = draft.dirty ? number : search.version
    void navigate({ search: { tab: tab === 'definition' ? undefined : tab, version: version === newest ? undefined : version } })
  }
  return (
    <Page
      title={latest.name}
      lead={lead}
      fill
      actions={
        <>
          {latest.description && <span className="hidden max-w-md truncate text-[13px] text-dim lg:inline">{latest.description}</span>}
          <ToolMenu tool={latest} onRelease={mayEdit && !draft.dirty && number === newest ? () => setSaving(true) : null} />
        </>
      }
    >
      <Tabs
        className="flex-1 [&>[role=tablist]]:bg-surface [&>[role=tablist]]:px-3"
        label="Tool sections"
        value={search.tab ?? 'definition'}
        onChange={show}
        tabs={[
          { value: 'definition', label: draft.dirty ? 'Definition •' : 'Definition' },
          { value: 'test', label: 'Test' },
          { value: 'versions', label: 'Versions' },
          { value: 'compare', label: 'Compare' },
          { value: 'environment', label: 'Environment' },
        ]}
      >
        <TabPanel value="definition" className="flex flex-col"><DefinitionTab draft={draft} latest={newest} onSave={() => setSaving(true)} /></TabPanel>
        <TabPanel value="test" className="overflow-auto"><TestTab draft={draft} /></TabPanel>
        <TabPanel value="versions" className="overflow-auto"><VersionsTab tool={latest.id} name={latest.name} /></TabPanel>
        <TabPanel value="compare" className="overflow-auto"><CompareTab tool={latest.id} latest={newest} /></TabPanel>
        <TabPanel value="environment" className="overflow-auto"><EnvironmentTab tool={latest.id} /></TabPanel>
      </Tabs>
      {saving && (
        <SaveDialog
          draft={draft}
          latest={latest}
          onClose={() => setSaving(false)}
          onSaved={() => {
            draft.discard()
            setSaving(false)
            void navigate({ search: {}, ignoreBlocker: true })
          }}
        />
      )}
    </Page>
  )
}
