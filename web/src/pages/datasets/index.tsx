import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { Plus, Search as SearchIcon } from 'lucide-react'
import { useState } from 'react'
import { useMay, useSession } from '@/api/session'
import { groupsQuery } from '@/dataset/data'
import { Button } from '@/ui/button'
import { FileDrop } from '@/ui/file-drop'
import { List } from '@/ui/list'
import { EmptyState, Page } from '@/ui/page'
import { useToast } from '@/ui/toast'
import { FileButton, ImportDialog } from './import/import-dialog'
import type { Imported } from './import/use-import'
import { CreateDialog } from './list/create-dialog'
import { FirstDataset } from './list/first-dataset'
import { GroupTable } from './list/group-table'

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
      <List
        noun="datasets"
        placeholder="Search names"
        answer={useQuery(groupsQuery(workspace, search))}
        search={search}
        onSearch={(change, replace) => void navigate({ search: (old) => ({ ...old, page: undefined, ...change }), replace })}
        sorts
        perPage={25}
        empty={<FirstDataset onCreate={mayCreate ? () => setCreating(true) : undefined} onFile={mayEdit ? setFile : undefined} />}
        nothing={<EmptyState title="No results" icon={<SearchIcon />}>No dataset name contains “{search.q}”.</EmptyState>}
      >
        {(groups) => <GroupTable groups={groups} />}
      </List>
      {mayEdit && file === null && <FileDrop words="Drop a CSV or JSON file to import it" onFile={setFile} />}
      {file && <ImportDialog key={file.name + file.lastModified} file={file} onFile={setFile} onClose={() => setFile(null)} onDone={onDone} />}
      {creating && <CreateDialog onClose={() => setCreating(false)} />}
    </Page>
  )
}
