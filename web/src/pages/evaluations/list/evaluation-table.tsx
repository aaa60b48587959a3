import { Link, useNavigate } from '@tanstack/react-router'
import { FlaskConical } from 'lucide-react'
import { useSession } from '@/api/session'
import type { Evaluation, Run } from '@/evaluation/data'
import { Badge } from '@/ui/badge'
import { SimpleTable } from '@/ui/table'
import { Ago } from '@/ui/time'
import { RunState } from '../run/run-state'
import { readScore, showScore } from '../score'
import { Trend } from './trend'

/** A page of evaluations, each with the result of its last run. */
export function EvaluationTable({ evaluations }: { evaluations: Evaluation[] }) {
  const { workspace_id } = useSession()
  const workspace = String(workspace_id)
  const navigate = useNavigate()
  return (
    <SimpleTable
      label="Evaluations"
      rows={evaluations}
      rowKey={({ id }) => id}
      onOpen={({ id }) => void navigate({ to: '/$workspace/evaluations/$evaluation', params: { workspace, evaluation: String(id) }, search: {} })}
      columns={[
        { header: 'Name', cell: (evaluation) => <Name evaluation={evaluation} workspace={workspace} />, className: 'w-full max-w-0' },
        { header: 'Score', cell: ({ runs }) => <LastScore runs={runs ?? []} />, className: 'text-right' },
        { header: 'Score trend', cell: ({ runs }) => <Trend runs={runs ?? []} />, className: 'hidden md:table-cell' },
        { header: 'Last run', cell: ({ runs }) => (runs?.[0] ? <RunState status={runs[0].status} counts={runs[0].stats.status_counts} /> : <span className="text-faint">not run yet</span>), className: 'hidden whitespace-nowrap sm:table-cell' },
        { header: 'Runs', cell: ({ run_count }) => run_count, className: 'hidden text-right tabular text-dim lg:table-cell' },
        { header: 'Updated', cell: ({ updated_at, runs }) => <Ago at={runs?.[0]?.created_at ?? updated_at} />, className: 'hidden text-right text-dim lg:table-cell' },
      ]}
    />
  )
}

function Name({ evaluation, workspace }: { evaluation: Evaluation; workspace: string }) {
  return (
    <Link to="/$workspace/evaluations/$evaluation" params={{ workspace, evaluation: String(evaluation.id) }} search={{}} title={evaluation.comment ?? undefined} className="group/name flex min-w-0 items-center gap-2 py-0.5">
      <FlaskConical className="size-4 shrink-0 text-faint" />
      <span className="truncate font-medium group-hover/name:underline">{evaluation.name}</span>
      {evaluation.deleted && <Badge>archived</Badge>}
      {Object.keys(evaluation.tags ?? {}).map((tag) => <Badge key={tag} tone="info" className="max-sm:hidden">{tag}</Badge>)}
    </Link>
  )
}

function LastScore({ runs }: { runs: Run[] }) {
  const scored = runs.find(({ score }) => readScore(score)?.overall != null)
  return <span className="tabular font-medium">{showScore(readScore(scored?.score)?.overall)}</span>
}
