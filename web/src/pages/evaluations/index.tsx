import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { Plus, Search as SearchIcon, UserRound } from 'lucide-react'
import { useMay, useSession } from '@/api/session'
import { evaluationsQuery, openCellsQuery } from '@/evaluation/data'
import { count } from '@/lib/format'
import { Button, buttonClass } from '@/ui/button'
import { Select } from '@/ui/field'
import { List } from '@/ui/list'
import { EmptyState, Page } from '@/ui/page'
import { CreateDialog } from './list/create-dialog'
import { EvaluationTable } from './list/evaluation-table'
import { FirstEvaluation } from './list/first-evaluation'
import type { Search } from './search'

export default function EvaluationsPage() {
  const search = useSearch({ from: '/$workspace/evaluations' })
  const navigate = useNavigate({ from: '/$workspace/evaluations' })
  const mayCreate = useMay('REPORT_CREATE')
  const create = mayCreate ? () => void navigate({ search: (old) => ({ ...old, create: 'any' }) }) : undefined
  const set = (change: Partial<Search>, replace = false) => void navigate({ search: (old) => ({ ...old, page: undefined, ...change }), replace })
  const answer = useQuery(evaluationsQuery(useSession().workspace_id, search))
  return (
    <Page
      title="Evaluations"
      actions={
        <>
          <WaitingLink />
          {create && <Button look="primary" onClick={create}><Plus /> New evaluation</Button>}
        </>
      }
    >
      <List
        noun="evaluations"
        placeholder="Search names"
        answer={{ ...answer, data: answer.data?.evaluations }}
        paged={answer.data}
        search={search}
        onSearch={set}
        sorts
        filters={
          <Select aria-label="Status" value={search.status ?? 'active'} onChange={(event) => set({ status: event.target.value as Search['status'] })}>
            <option value="active">Active</option>
            <option value="deleted">Archived</option>
            <option value="all">All</option>
          </Select>
        }
        empty={search.status === 'deleted' ? <EmptyState title="No archived evaluations">Archived evaluations will appear here.</EmptyState> : <FirstEvaluation onCreate={create} />}
        nothing={<EmptyState title="No results" icon={<SearchIcon />}>No evaluation name contains “{search.q}”.</EmptyState>}
      >
        {(rows) => <EvaluationTable evaluations={rows} />}
      </List>
      {search.create !== undefined && mayCreate && <CreateDialog group={search.create === 'any' ? null : search.create} onClose={() => set({ create: undefined }, true)} />}
    </Page>
  )
}

/** Leads to the cells that wait for the signed-in person, if there are any. */
function WaitingLink() {
  const { workspace_id: workspace } = useSession()
  const waiting = useQuery(openCellsQuery(workspace)).data?.total ?? 0
  if (waiting === 0) return null
  return <Link to="/$workspace/evaluations/waiting" params={{ workspace: String(workspace) }} search={{}} className={buttonClass()}><UserRound /> Answer {count(waiting)} waiting {waiting === 1 ? 'cell' : 'cells'}</Link>
}
