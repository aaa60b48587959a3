import { useQuery } from '@tanstack/react-query'
import { Navigate, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { useSession } from '@/api/session'
import { reportQuery, type Report } from '@/evaluation/data'
import { Badge } from '@/ui/badge'
import { BackLink, LoadError, Loading, Page } from '@/ui/page'
import { TabPanel, Tabs } from '@/ui/tabs'
import { ColumnsTab } from './columns/columns-tab'
import { CompareTab } from './compare/compare-tab'
import { EvaluationActions } from './page/actions'
import { DatasetLink } from './page/dataset-link'
import { RunDialog } from './page/run-dialog'
import { RunList } from './run/run-list'
import { RunView } from './run/run-view'
import type { Search } from './search'

export default function EvaluationPage() {
  const { workspace_id } = useSession()
  const workspace = String(workspace_id)
  const { evaluation } = useParams({ from: '/$workspace/evaluations/$evaluation' })
  const id = Number(evaluation)
  const { data, error, refetch } = useQuery(reportQuery(workspace_id, id))
  const lead = <BackLink to="/$workspace/evaluations">Evaluations</BackLink>
  if (data === undefined) return <Page title="Evaluation" lead={lead}>{error ? <LoadError what="evaluation" error={error} retry={() => void refetch()} /> : <Loading />}</Page>
  const parent = data.report.parent_report_id
  if (!data.report.is_blueprint && parent !== null) {
    // The URL of a run is shown on the page of its evaluation.
    return <Navigate to="/$workspace/evaluations/$evaluation" params={{ workspace, evaluation: String(parent) }} search={{ run: id }} replace />
  }
  return <Loaded key={id} evaluation={data} lead={lead} />
}

function Loaded({ evaluation, lead }: { evaluation: Report; lead: React.ReactNode }) {
  const { report } = evaluation
  const search = useSearch({ from: '/$workspace/evaluations/$evaluation' })
  const navigate = useNavigate({ from: '/$workspace/evaluations/$evaluation' })
  const [starting, setStarting] = useState(false)
  const computed = evaluation.report_columns.filter(({ column_type }) => column_type !== 'DATASET')
  // By default the next step: columns first, then runs.
  const tab = search.tab ?? (search.run === undefined && computed.length === 0 ? 'columns' : 'runs')
  const go = (next: Search) => void navigate({ search: { ...next } })
  return (
    <Page
      fill
      title={report.name}
      lead={
        <>
          {lead}
          {report.deleted && <Badge tone="warn">archived</Badge>}
        </>
      }
      actions={
        <>
          <DatasetLink report={report.id} dataset={report.dataset_id} />
          <EvaluationActions report={report} columns={computed.length} onRun={() => setStarting(true)} />
        </>
      }
    >
      {report.comment !== null && <p className="max-h-24 overflow-auto border-b border-line px-4 py-2 whitespace-pre-line text-dim">{report.comment}</p>}
      <Tabs
        label="Evaluation sections"
        className="flex-1"
        value={tab}
        onChange={(next) => go({ tab: next, ...(next === 'compare' ? { run: search.run, compare: search.compare } : {}) })}
        tabs={[
          { value: 'runs', label: 'Runs' },
          { value: 'columns', label: <>Columns and score <span className="tabular text-faint">{computed.length}</span></> },
          { value: 'compare', label: 'Compare runs' },
        ]}
      >
        <TabPanel value="runs" className="flex flex-col">
          {search.run === undefined ? <RunList evaluation={report.id} canRun={computed.length > 0} onRun={() => setStarting(true)} /> : <RunView key={search.run} run={search.run} evaluation={report.id} />}
        </TabPanel>
        <TabPanel value="columns" className="overflow-auto"><ColumnsTab evaluation={evaluation} /></TabPanel>
        <TabPanel value="compare" className="flex flex-col"><CompareTab evaluation={report.id} /></TabPanel>
      </Tabs>
      {starting && <RunDialog report={report} onClose={() => setStarting(false)} onStarted={(run) => go({ run })} />}
    </Page>
  )
}
