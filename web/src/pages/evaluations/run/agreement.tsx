import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { Scale } from 'lucide-react'
import { useSession } from '@/api/session'
import { agreementQuery, type Agreement, type Report } from '@/evaluation/data'
import { count, plural } from '@/lib/format'
import { Button } from '@/ui/button'

const from = '/$workspace/evaluations/$evaluation'

/** Whether a run has a judge and a column that people answer. */
function isJudged({ report_columns: columns }: Report): boolean {
  return columns.some(({ column_type }) => column_type === 'LLM_ASSERTION') && columns.some(({ column_type, configuration }) => column_type === 'HUMAN' && configuration.wait === true)
}

function useAgreement(run: Report) {
  const { workspace_id: workspace } = useSession()
  return useQuery({ ...agreementQuery(workspace, run.report.id, run.status !== 'COMPLETED'), enabled: isJudged(run) })
}

/** The positions of the rows to list, if only those are listed on which a judge and people disagree. */
export function useDisagreements(run: Report): number[] | undefined {
  const { judge, person } = useSearch({ from })
  return useAgreement(run).data?.pairs.find((pair) => pair.judge_column_id === judge && pair.person_column_id === person)?.disagreements
}

/** How far the judges of a run agree with people. */
export function AgreementPanel({ run }: { run: Report }) {
  const { data, error, refetch } = useAgreement(run)
  if (error) {
    return (
      <p role="alert" className="flex items-center gap-3 border-b border-line px-4 py-1 text-[13px] text-bad">
        The agreement with people is not available: {error.message} <Button small onClick={() => void refetch()}>Try again</Button>
      </p>
    )
  }
  if (data === undefined || data.pairs.length === 0) return null
  return (
    <section aria-label="Agreement with people" className="max-h-40 overflow-auto border-b border-line bg-surface px-4 py-1.5 text-[13px]" tabIndex={0}>
      <ul className="flex flex-col gap-1">{data.pairs.map((pair) => <Pair key={`${pair.judge_column_id} ${pair.person_column_id}`} pair={pair} />)}</ul>
      {!data.complete && <p className="text-faint">Not all columns or answers were compared.</p>}
    </section>
  )
}

function Pair({ pair }: { pair: Agreement }) {
  const search = useSearch({ from })
  const navigate = useNavigate({ from })
  const { judge_column_id: judge, person_column_id: person, disagreements } = pair
  const filtered = search.judge === judge && search.person === person
  const different = pair.rows - pair.agreed
  const toggle = () => void navigate({ search: (old) => ({ ...old, row: undefined, judge: filtered ? undefined : judge, person: filtered ? undefined : person }), resetScroll: false })
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-0.5">
      <span className="flex items-center gap-1.5 font-medium"><Scale className="size-3.5 shrink-0 text-faint" aria-hidden /> {pair.judge_column} and {pair.person_column}</span>
      {(different > 0 || filtered) && (
        <Button small look="quiet" aria-pressed={filtered} onClick={toggle}>{filtered ? 'Show all rows' : `Show ${different > disagreements.length ? `the first ${count(disagreements.length)} of ` : ''}${plural(different, 'row')} where they disagree`}</Button>
      )}
      <span className="w-full text-dim">{pair.summary}{pair.kappa !== null && ` Kappa ${pair.kappa.toFixed(2)}.`}</span>
    </li>
  )
}
