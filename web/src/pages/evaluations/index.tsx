import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { Plus, Search as SearchIcon, UserRound } from 'lucide-react'
import { useMay, useSession } from '@/api/session'
import { evaluationsQuery, openCellsQuery } from '@/evaluation/data'
import { count } from '@/lib/format'
import { Button, buttonClass } from '@/ui/button'
import { Select } from '@/ui/field'
import { EmptyState, ErrorState, Loading, Page } from '@/ui/page'
import { SearchInput } from '@/ui/search-input'
import { Pager } from '@/ui/table'
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
      <div className="flex flex-wrap items-center gap-2 border-b border-line px-4 py-2">
        <SearchInput label="Search evaluations" placeholder="Search names" value={search.q ?? ''} onSearch={(q) => set({ q: q || undefined }, true)} />
        <Select aria-label="Status" value={search.status ?? 'active'} onChange={(event) => set({ status: event.target.value as Search['status'] })}>
          <option value="active">Active</option>
          <option value="deleted">Archived</option>
          <option value="all">All</option>
        </Select>
        <Select aria-label="Sort by" value={search.sort ?? 'updated'} onChange={(event) => set({ sort: event.target.value as Search['sort'] })}>
          <option value="updated">Last updated</option>
          <option value="created">Last created</option>
          <option value="name">Name</option>
        </Select>
      </div>
      <List search={search} onCreate={create} onPage={(page) => set({ page })} />
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

function List({ search, onCreate, onPage }: { search: Search; onCreate?: () => void; onPage: (page: number) => void }) {
  const { workspace_id: workspace } = useSession()
  const { data, error, refetch } = useQuery(evaluationsQuery(workspace, search))
  if (error) return <ErrorState error={error} retry={() => void refetch()} />
  if (data === undefined) return <Loading />
  if (data.total === 0) {
    if (search.q) return <EmptyState title="No results" icon={<SearchIcon />}>No evaluation name contains “{search.q}”.</EmptyState>
    if (search.status === 'deleted') return <EmptyState title="No archived evaluations">Archived evaluations will appear here.</EmptyState>
    return <FirstEvaluation onCreate={onCreate} />
  }
  return (
    <>
      <EvaluationTable evaluations={data.evaluations} />
      <Pager page={data.page} pages={data.pages} total={data.total} noun="evaluations" onPage={onPage} />
    </>
  )
}
