import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { Plus, Search as SearchIcon } from 'lucide-react'
import { useState } from 'react'
import { useMay, useSession } from '@/api/session'
import { groupsQuery } from '@/dataset/data'
import { Button } from '@/ui/button'
import { Select } from '@/ui/field'
import { FileDrop } from '@/ui/file-drop'
import { EmptyState, ErrorState, Loading, Page } from '@/ui/page'
import { SearchInput } from '@/ui/search-input'
import { Pager } from '@/ui/table'
import { useToast } from '@/ui/toast'
import { FileButton, ImportDialog } from './import/import-dialog'
import type { Imported } from './import/use-import'
import { CreateDialog } from './list/create-dialog'
import { FirstDataset } from './list/first-dataset'
import { GroupTable } from './list/group-table'
import type { Search } from './search'

const perPage = 25

export default function DatasetsPage() {
  const { workspace_id: workspace } = useSession()
  const search = useSearch({ from: '/$workspace/datasets' })
  const navigate = useNavigate({ from: '/$workspace/datasets' })
  const toast = useToast()
  const mayCreate = useMay('DATASET_CREATE')
  const mayEdit = useMay('DATASET_EDIT')
  const [file, setFile] = useState<File | null>(null)
  const [creating, setCreating] = useState(false)
  const onDone = ({ group, dataset, version }: Imported) => {
    setFile(null)
    toast.done(`Imported as version ${version}`)
    void navigate({ to: '/$workspace/datasets/$group', params: { workspace: String(workspace), group: String(group) }, search: { dataset } })
  }
  return (
    <Page
      title="Datasets"
      actions={
        <>
          {mayEdit && <FileButton onFile={setFile} />}
          {mayCreate && <Button look="primary" onClick={() => setCreating(true)}><Plus /> New dataset</Button>}
        </>
      }
    >
      <div className="flex flex-wrap items-center gap-2 border-b border-line px-4 py-2">
        <SearchInput label="Search datasets" placeholder="Search names" value={search.q ?? ''} onSearch={(q) => void navigate({ search: (old) => ({ ...old, page: undefined, q: q || undefined }), replace: true })} />
        <Select aria-label="Sort by" value={search.sort ?? 'updated'} onChange={(event) => void navigate({ search: (old) => ({ ...old, page: undefined, sort: event.target.value as Search['sort'] }) })}>
          <option value="updated">Last updated</option>
          <option value="created">Last created</option>
          <option value="name">Name</option>
        </Select>
      </div>
      <List search={search} onPage={(page) => void navigate({ search: (old) => ({ ...old, page }) })} onCreate={mayCreate ? () => setCreating(true) : undefined} onFile={mayEdit ? setFile : undefined} />
      {mayEdit && file === null && <FileDrop words="Drop a CSV or JSON file to import it" onFile={setFile} />}
      {file && <ImportDialog key={file.name + file.lastModified} file={file} onFile={setFile} onClose={() => setFile(null)} onDone={onDone} />}
      {creating && <CreateDialog onClose={() => setCreating(false)} />}
    </Page>
  )
}

function List({ search, onPage, onCreate, onFile }: { search: Search; onPage: (page: number) => void; onCreate?: () => void; onFile?: (file: File) => void }) {
  const { workspace_id: workspace } = useSession()
  const { data, error, refetch } = useQuery(groupsQuery(workspace, search))
  if (error) return <ErrorState error={error} retry={() => void refetch()} />
  if (data === undefined) return <Loading />
  if (data.length === 0) {
    if (search.q) return <EmptyState title="No results" icon={<SearchIcon />}>No dataset name contains “{search.q}”.</EmptyState>
    return <FirstDataset onCreate={onCreate} onFile={onFile} />
  }
  const pages = Math.ceil(data.length / perPage)
  const page = Math.min(search.page ?? 1, pages)
  return (
    <>
      <GroupTable groups={data.slice((page - 1) * perPage, page * perPage)} />
      <Pager page={page} pages={pages} total={data.length} noun="datasets" onPage={onPage} />
    </>
  )
}
