import type { ReactNode } from 'react'
import { Button } from './button'
import { Select } from './field'
import { EmptyState, ErrorState, Loading } from './page'
import { SearchInput } from './search-input'
import { Pager } from './table'

const sortWords = { updated: 'Last updated', created: 'Last created', name: 'Name' }

/** The part of a URL that every list understands. */
interface ListSearch {
  q?: string
  sort?: keyof typeof sortWords
  page?: number
}

interface ListProps<Row> {
  /** What is listed, such as "tools". */
  noun: string
  /** What the rows are called, if not so. */
  rowNoun?: string
  placeholder: string
  /** The answer of a query: all rows, or one page of them. */
  answer: { data: Row[] | undefined; error: Error | null; refetch: () => Promise<unknown> }
  /** Which page the rows are, if they are one. */
  paged?: { page: number; pages: number; total: number }
  search: ListSearch
  onSearch: (change: ListSearch, replace?: boolean) => void
  /** The texts of a row, if rows are searched here instead of by the server. */
  textOf?: (row: Row) => (string | null)[]
  /** Whether the order can be chosen. */
  sorts?: boolean
  /** The rows on a page, if the answer is not one. */
  perPage?: number
  /** Rendered before and after the search. */
  before?: ReactNode
  filters?: ReactNode
  /** Rendered below the search. */
  below?: ReactNode
  /** Shown if nothing is there, and if no row matches. */
  empty: ReactNode
  nothing?: ReactNode
  children: (rows: Row[]) => ReactNode
}

/** A list with a search, an order, pages, and what is shown instead of rows. All of its state is in the URL. */
export function List<Row>(props: ListProps<Row>) {
  const { answer, textOf, search, onSearch, sorts, before, filters, below } = props
  const all = answer.data ?? []
  const waiting = answer.error ? <ErrorState error={answer.error} retry={() => void answer.refetch()} /> : answer.data === undefined && <Loading />
  // Without rows there is nothing to search here. The server may find some with other words.
  if (textOf && (waiting || all.length === 0)) return waiting || props.empty
  const found = textOf ? all.filter((row) => matches(textOf(row), search.q ?? '')) : all
  return (
    <>
      <div className="flex flex-wrap items-center gap-2 border-b border-line px-4 py-2 md:px-5">
        {before}
        <SearchInput className={textOf && 'max-w-80'} label={`Search ${props.noun}`} placeholder={props.placeholder} value={search.q ?? ''} onSearch={(q) => onSearch({ q: q || undefined }, true)} />
        {filters}
        {sorts && (
          <Select aria-label="Sort by" value={search.sort ?? 'updated'} onChange={(event) => onSearch({ sort: event.target.value as ListSearch['sort'] })}>
            {Object.entries(sortWords).map(([value, label]) => <option key={value} value={value}>{label}</option>)}
          </Select>
        )}
        {textOf && <span className="tabular ml-auto text-[13px] whitespace-nowrap text-faint">{found.length === all.length ? all.length : `${found.length} of ${all.length}`}</span>}
      </div>
      {below}
      {waiting || <Found {...props} found={found} />}
    </>
  )
}

function Found<Row>({ found, noun, rowNoun = noun, paged, perPage = Number.MAX_SAFE_INTEGER, search, onSearch, empty, nothing, children }: ListProps<Row> & { found: Row[] }) {
  const total = paged?.total ?? found.length
  const pages = paged?.pages ?? Math.ceil(total / perPage)
  const page = paged?.page ?? Math.min(search.page ?? 1, pages)
  if (total > 0) {
    return (
      <>
        {children(paged ? found : found.slice((page - 1) * perPage, page * perPage))}
        <Pager page={page} pages={pages} total={total} noun={rowNoun} onPage={(next) => onSearch({ page: next })} />
      </>
    )
  }
  if (!search.q) return empty
  return nothing ?? <EmptyState title={`No matching ${rowNoun}`} action={<Button onClick={() => onSearch({ q: undefined })}>Show all</Button>} />
}

function matches(texts: (string | null)[], search: string): boolean {
  const text = texts.join(' ').toLowerCase()
  return search.toLowerCase().split(/\s+/).every((word) => text.includes(word))
}
