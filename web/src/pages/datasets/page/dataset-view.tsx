import { useMatch, useNavigate, useRouter, useSearch } from '@tanstack/react-router'
import { Search as SearchIcon, Table2 } from 'lucide-react'
import { useState } from 'react'
import { useMay } from '@/api/session'
import { isDraft, type Dataset } from '@/dataset/data'
import { cn } from '@/lib/cn'
import { EmptyState, ErrorState, Loading } from '@/ui/page'
import { FileButton } from '../import/import-dialog'
import { readSearch } from '../search'
import { DraftBar } from './draft-bar'
import { RowPanel } from './row-panel'
import { RowsGrid } from './rows-grid'
import { useDraftChanges } from './use-draft-changes'
import { useRows } from './use-rows'
import { VersionBar } from './version-bar'

/** A version of a dataset, or its draft, which can be edited. */
export function DatasetView({ group, name, versions, shown, onFile, onShow }: {
  group: number
  name: string
  versions: Dataset[]
  shown: Dataset
  onFile?: (file: File) => void
  onShow: (dataset: number) => void
}) {
  const { q = '', page = 1, row } = useSearch({ from: '/$workspace/datasets/$group' })
  const navigate = useNavigate({ from: '/$workspace/datasets/$group' })
  const editable = useMay('DATASET_EDIT') && isDraft(shown)
  const { columns, total, rowAt, onRange, error, retry, stale } = useRows(shown.id, q, isDraft(shown))
  const { change, setCell } = useDraftChanges(group, shown.id)
  const [chosen, setChosen] = useState(new Set<string>())
  const [added, setAdded] = useState<number | null>(null)
  const [column, setColumn] = useState<number | null>(null)
  const openRow = row === undefined || row > total ? null : row - 1
  const open = (index: number | null) => void navigate({ search: (old) => ({ ...old, row: index === null ? undefined : index + 1 }), replace: openRow !== null && index !== null, resetScroll: false })
  const [initialPage] = useState(page)
  const router = useRouter()
  const { pathname } = useMatch({ from: '/$workspace/datasets/$group' })
  const showPage = (next: number) => {
    // Compare with the URL, not with what is rendered, which may still be loading.
    const { pathname: there, search } = router.latestLocation
    if (there !== pathname || (readSearch(search).page ?? 1) === next) return
    void navigate({ search: (old) => ({ ...old, page: next === 1 ? undefined : next }), replace: true, resetScroll: false })
  }
  const noun = isDraft(shown) ? 'draft' : 'version'
  return (
    <>
      <VersionBar group={group} versions={versions} shown={shown} total={columns && total} q={q} onShow={onShow} onSearch={(text) => void navigate({ search: (old) => ({ ...old, row: undefined, page: undefined, q: text || undefined }), replace: true })} />
      {editable && <DraftBar group={group} columns={columns ?? []} total={total} chosen={chosen} onChosen={setChosen} change={change} onAdded={setAdded} onShow={onShow} />}
      {error ? (
        <ErrorState error={error} retry={retry} />
      ) : columns === undefined ? (
        <Loading />
      ) : total === 0 ? (
        <NoRows q={q} noun={noun} editable={editable} hasColumns={columns.length > 0} onFile={onFile} />
      ) : (
        <div className={cn('flex min-h-0 flex-1 flex-col', stale && 'opacity-60')}>
          <RowsGrid
            key={q}
            label={`Rows of ${name}`}
            columns={columns}
            total={total}
            rowAt={rowAt}
            onRange={onRange}
            page={initialPage}
            onPage={showPage}
            openRow={openRow}
            onOpen={(place) => {
              setColumn(place.column)
              open(place.row)
            }}
            editing={editable ? { setCell: (id, at, value) => void setCell(id, at, value), chosen, onChosen: setChosen, added } : undefined}
          />
        </div>
      )}
      {openRow !== null && columns && (
        <RowPanel index={openRow} total={total} row={rowAt(openRow)} columns={columns} column={column} onIndex={open} onClose={() => open(null)} onSet={editable ? (id, at, value) => void setCell(id, at, value) : undefined} />
      )}
    </>
  )
}

function NoRows({ q, noun, editable, hasColumns, onFile }: { q: string; noun: string; editable: boolean; hasColumns: boolean; onFile?: (file: File) => void }) {
  if (q !== '') return <EmptyState title="No matching rows" icon={<SearchIcon />}>No value in this {noun} contains “{q}”.</EmptyState>
  return (
    <EmptyState title={`This ${noun} has no rows`} icon={<Table2 />} action={onFile && <FileButton onFile={onFile} />}>
      {editable
        ? `${hasColumns ? 'Add a row above' : 'Add a column above, then rows'}, drop a CSV or JSON file here, or add logged requests from the Requests page.`
        : 'Versions never change. Create a draft or import a file to make a new one.'}
    </EmptyState>
  )
}
