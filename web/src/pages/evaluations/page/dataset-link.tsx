import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Database } from 'lucide-react'
import { useSession } from '@/api/session'
import { datasetOfReportQuery } from '@/dataset/data'

/** A link to the dataset version of an evaluation or a run. */
export function DatasetLink({ report, dataset }: { report: number; dataset: number | null }) {
  const { workspace_id: workspace } = useSession()
  const found = useQuery(datasetOfReportQuery(workspace, report)).data?.find(({ id }) => id === dataset)
  if (found === undefined) return null
  const words = `${found.dataset_group.name} ${found.version_number}`
  if (found.is_deleted) return <span className="flex items-center gap-1 text-[13px] text-faint" title="This dataset was deleted"><Database className="size-3.5" /> {words} (deleted)</span>
  return (
    <Link
      to="/$workspace/datasets/$group"
      params={{ workspace: String(workspace), group: String(found.dataset_group_id) }}
      search={{ dataset: found.id }}
      title={`Version ${found.version_number} of dataset ${found.dataset_group.name}`}
      className="flex min-w-0 items-center gap-1 text-[13px] text-dim hover:text-ink hover:underline"
    >
      <Database className="size-3.5 shrink-0" /> <span className="truncate">{words}</span>
    </Link>
  )
}
