import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { useMay, useSession } from '@/api/session'
import { isDraft, versionsQuery, type Dataset } from '@/dataset/data'
import { FileDrop } from '@/ui/file-drop'
import { BackLink, LoadError, Loading, Missing, Page } from '@/ui/page'
import { useToast } from '@/ui/toast'
import { ImportDialog } from './import/import-dialog'
import type { Imported } from './import/use-import'
import { DatasetActions } from './page/actions'
import { DatasetView } from './page/dataset-view'

export default function DatasetPage() {
  const { workspace_id: workspace } = useSession()
  const { group: id } = useParams({ from: '/$workspace/datasets/$group' })
  const group = Number(id)
  const { data: versions, error, refetch } = useQuery(versionsQuery(workspace, group))
  const lead = <BackLink to="/$workspace/datasets">Datasets</BackLink>
  if (versions === undefined) return <Page title="Dataset" lead={lead}>{error ? <LoadError what="dataset" error={error} retry={() => void refetch()} /> : <Loading />}</Page>
  const [newest] = versions
  if (newest === undefined) return <Page title="Dataset" lead={lead}><Missing what="dataset" /></Page>
  return <Loaded key={group} group={group} name={newest.dataset_group.name} versions={versions} lead={lead} />
}

function Loaded({ group, name, versions, lead }: { group: number; name: string; versions: Dataset[]; lead: React.ReactNode }) {
  const search = useSearch({ from: '/$workspace/datasets/$group' })
  const navigate = useNavigate({ from: '/$workspace/datasets/$group' })
  const toast = useToast()
  const mayEdit = useMay('DATASET_EDIT')
  const [file, setFile] = useState<File | null>(null)
  // By default the latest numbered version, or the draft if there is no other.
  const shown = versions.find(({ id }) => id === search.dataset) ?? versions.find((version) => !isDraft(version)) ?? versions[0]
  const show = (dataset: number) => void navigate({ search: { dataset } })
  const onDone = ({ dataset, version }: Imported) => {
    setFile(null)
    toast.done(`Imported as version ${version} of ${name}`)
    show(dataset)
  }
  if (shown === undefined) return null
  return (
    <Page fill title={name} lead={lead} actions={<DatasetActions group={group} name={name} versions={versions} shown={shown} onFile={setFile} onShow={show} />}>
      <DatasetView key={shown.id} group={group} name={name} versions={versions} shown={shown} onFile={mayEdit ? setFile : undefined} onShow={show} />
      {mayEdit && file === null && <FileDrop words={`Drop a CSV or JSON file to create a version of ${name}`} onFile={setFile} />}
      {file && <ImportDialog key={file.name + file.lastModified} file={file} group={{ id: group, name }} onFile={setFile} onClose={() => setFile(null)} onDone={onDone} />}
    </Page>
  )
}
