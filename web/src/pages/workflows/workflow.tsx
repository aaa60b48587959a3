import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { Play } from 'lucide-react'
import { useEffect, useMemo, useState } from 'react'
import { useMay, useSession } from '@/api/session'
import { useLeaveGuard } from '@/registry/leave-guard'
import { Button } from '@/ui/button'
import { BackLink, LoadError, Loading, Page } from '@/ui/page'
import { TabPanel, Tabs } from '@/ui/tabs'
import { CompareTab } from './compare-tab'
import { versionQuery } from './data'
import { useDraft, type Draft } from './editor/use-draft'
import { GraphTab } from './graph-tab'
import { definitionOf, type Version } from './model/definition'
import { RunDialog } from './run/run-dialog'
import { useRun, type ShownRun } from './run/use-run'
import { RunsTab } from './runs-tab'
import { SaveDialog } from './save-dialog'
import type { Search } from './search'
import { VersionsTab } from './versions-tab'
import { WorkflowMenu } from './workflow-menu'

/** One workflow: its graph, versions and runs. */
export default function WorkflowPage() {
  const { workflow } = useParams({ from: '/$workspace/workflows/$workflow' })
  const { version } = useSearch({ from: '/$workspace/workflows/$workflow' })
  const id = Number(workflow)
  const workspaceId = useSession().workspace_id
  const latest = useQuery(versionQuery(workspaceId, id))
  const numbered = useQuery({ ...versionQuery(workspaceId, id, version), enabled: version !== undefined })
  const shown = version === undefined ? latest : numbered
  const lead = <BackLink to="/$workspace/workflows">Workflows</BackLink>
  if (shown.data === undefined || latest.data === undefined) {
    // Keep the edits when only a reload has failed.
    const error = latest.error ?? shown.error
    const newest = <Link from="/$workspace/workflows/$workflow" to="." search={{}} className="text-accent-ink underline">Open latest version</Link>
    return (
      <Page title="Workflow" lead={lead}>
        {error === null ? <Loading /> : latest.data === undefined ? <LoadError what="workflow" error={error} retry={() => void latest.refetch()} /> : <LoadError what="version" error={error} retry={() => void shown.refetch()} action={newest} />}
      </Page>
    )
  }
  return <Loaded key={id} version={shown.data} latest={latest.data.version_number} lead={lead} />
}

function Loaded({ version, latest, lead }: { version: Version; latest: number; lead: React.ReactNode }) {
  const search = useSearch({ from: '/$workspace/workflows/$workflow' })
  const navigate = useNavigate({ from: '/$workspace/workflows/$workflow' })
  const draft = useDraft(version)
  const run = useRun(version.workflow_id, search.run)
  const mayRun = useMay('WORKFLOW_RUN')
  const mayEdit = useMay('WORKFLOW_EDIT')
  const shown = useShown(draft, run)
  const edits = mayEdit && (draft.dirty || shown !== draft) ? shown.definition : null
  const [saving, setSaving] = useState(false)
  const [running, setRunning] = useState<{ inputs: Record<string, unknown> | null } | null>(null)
  useLeaveGuard({
    dirty: draft.dirty,
    body: `Your changes to version ${draft.base.version_number} of ${draft.base.workflow_name} are not saved and will be lost.`,
    action: 'Leave',
    // Without a number it is the latest version, which may have changed since.
    keeps: ({ tab, version }: Search, current: Search) => (tab ?? 'graph') !== 'graph' || version === current.version || version === draft.base.version_number,
    discard: draft.discard,
  })
  // The URL of a run may lack its version, and other versions have other graphs.
  const versionOfRun = run?.details?.workflow_version_number
  const strayed = search.version === undefined && versionOfRun !== undefined && versionOfRun !== version.version_number
  useEffect(() => {
    if (strayed) void navigate({ search: (old) => ({ ...old, version: versionOfRun }), replace: true })
  }, [strayed, versionOfRun, navigate])
  const tab = search.tab ?? 'graph'
  const show = (next: NonNullable<Search['tab']>) => {
    // Unsaved edits belong to the version they started from.
    const keep = next === 'graph' && draft.dirty ? draft.base.version_number : search.version
    void navigate({ search: { tab: next === 'graph' ? undefined : next, version: keep === latest ? undefined : keep, view: search.view } })
  }
  return (
    <Page
      title={version.workflow_name}
      lead={lead}
      fill
      actions={
        <>
          <Button look="primary" disabled={!mayRun} title={mayRun ? undefined : 'Your role does not allow you to run workflows'} onClick={() => setRunning({ inputs: null })}>
            <Play /> {edits === null ? 'Run' : 'Dry run'}
          </Button>
          <WorkflowMenu version={version} />
        </>
      }
    >
      <Tabs
        className="flex-1 [&>[role=tablist]]:bg-surface [&>[role=tablist]]:px-3"
        label="Workflow sections"
        value={tab}
        onChange={show}
        tabs={[
          { value: 'graph', label: draft.dirty ? 'Graph •' : 'Graph' },
          { value: 'versions', label: 'Versions' },
          { value: 'compare', label: 'Compare' },
          { value: 'runs', label: 'Runs' },
        ]}
      >
        <TabPanel value="graph">
          <GraphTab draft={shown} run={run} latest={latest} onSave={() => setSaving(true)} onRunAgain={() => setRunning({ inputs: run?.details?.input_variables ?? null })} />
        </TabPanel>
        <TabPanel value="versions" className="overflow-auto"><VersionsTab workflow={version.workflow_id} name={version.workflow_name} latest={latest} /></TabPanel>
        <TabPanel value="compare" className="overflow-auto"><CompareTab workflow={version.workflow_id} latest={latest} /></TabPanel>
        <TabPanel value="runs" className="overflow-auto"><RunsTab workflow={version.workflow_id} onRun={() => setRunning({ inputs: null })} /></TabPanel>
      </Tabs>
      {saving && (
        <SaveDialog
          draft={draft}
          latest={latest}
          onClose={() => setSaving(false)}
          onSaved={() => {
            draft.discard()
            void navigate({ search: (old) => ({ ...old, version: undefined, run: undefined }), ignoreBlocker: true })
          }}
          onRefused={(node) => node !== null && void navigate({ search: (old) => ({ ...old, node, panel: undefined }) })}
        />
      )}
      {running && (
        <RunDialog
          version={draft.base}
          inputs={running.inputs}
          edits={edits}
          onClose={() => setRunning(null)}
          onRefused={(problems) => {
            draft.setProblems(problems)
            const node = problems.find((problem) => problem.node !== null)?.node
            if (node) void navigate({ search: (old) => ({ ...old, node, panel: undefined }) })
          }}
          onStarted={(id, number) => void navigate({ search: (old) => ({ run: id, version: number, view: old.view }) })}
        />
      )}
    </Page>
  )
}

/** The draft, with the edits of the shown dry run if it has none of its own. */
function useShown(draft: Draft, run: ShownRun | null): Draft {
  const details = run?.details
  return useMemo(() => {
    if (draft.dirty || details?.dry_run !== true) return draft
    const definition = definitionOf(details)
    return { ...draft, definition, change: (edit, topic) => draft.change(() => edit(definition), topic) }
  }, [draft, details])
}
