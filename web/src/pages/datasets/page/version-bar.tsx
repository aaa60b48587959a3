import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Filter } from 'lucide-react'
import { useSession } from '@/api/session'
import { isDraft, versionName, type Dataset } from '@/dataset/data'
import { evaluationsOfDatasets } from '@/evaluation/data'
import { count, dateTime } from '@/lib/format'
import { Button } from '@/ui/button'
import { Select } from '@/ui/field'
import { JsonView } from '@/ui/json'
import { Popover } from '@/ui/menu'
import { SearchInput } from '@/ui/search-input'
import { Ago } from '@/ui/time'
import { filterText } from '../filter-text'

/** Selects the version, shows its figures, and searches its values. */
export function VersionBar({ group, versions, shown, total, q, onShow, onSearch }: {
  group: number
  versions: Dataset[]
  shown: Dataset
  /** The number of listed rows; undefined while unknown. */
  total: number | undefined
  q: string
  onShow: (dataset: number) => void
  onSearch: (text: string) => void
}) {
  const latest = versions.find((version) => !isDraft(version))?.id
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-2 border-b border-line px-4 py-2">
      <Select aria-label="Version" value={shown.id} onChange={(event) => onShow(Number(event.target.value))}>
        {versions.map((version) => (
          <option key={version.id} value={version.id}>
            {versionName(version)}{version.id === latest ? ' (latest)' : ''}
          </option>
        ))}
      </Select>
      <span className="tabular text-[13px] whitespace-nowrap text-dim">
        {total !== undefined && `${count(total)} ${q === '' ? '' : 'matching '}${total === 1 ? 'row' : 'rows'} · `}
        {count(shown.column_names.length)} {shown.column_names.length === 1 ? 'column' : 'columns'}
      </span>
      <span className="hidden text-[13px] text-faint lg:inline" title={`Updated ${dateTime(shown.updated_at)}`}><Ago at={shown.updated_at} /></span>
      {shown.filter_params && <FilterOf dataset={shown} />}
      <Evaluations group={group} versions={versions} />
      <SearchInput label="Search values" placeholder="Search values" className="sm:max-w-xs sm:ml-auto" value={q} onSearch={onSearch} />
    </div>
  )
}

function FilterOf({ dataset }: { dataset: Dataset }) {
  const { workspace_id } = useSession()
  const text = filterText(dataset.filter_params ?? {})
  return (
    <Popover label="Filter" className="max-h-96 w-96 overflow-auto" trigger={<Button small look="quiet"><Filter /> Created from a filter</Button>}>
      <p className="mb-2 text-[13px] text-dim">The rows are the logged requests that matched this filter:</p>
      <JsonView value={dataset.filter_params} openTo={5} />
      {text !== null && (
        <Link to="/$workspace/requests" params={{ workspace: String(workspace_id) }} search={{ q: text || undefined, range: 'all' }} className="mt-3 inline-block text-accent-ink underline">
          View current matches
        </Link>
      )}
    </Popover>
  )
}

/** Links to the evaluations that use this dataset. */
function Evaluations({ group, versions }: { group: number; versions: Dataset[] }) {
  const { workspace_id: workspace } = useSession()
  const ids = versions.map(({ id }) => id)
  const evaluations = useQuery(evaluationsOfDatasets(workspace, group, ids)).data ?? []
  if (evaluations.length === 0) return null
  return (
    <Popover label="Evaluations" className="flex w-72 flex-col p-1" trigger={<Button small look="quiet">{evaluations.length === 1 ? '1 evaluation' : `${evaluations.length} evaluations`}</Button>}>
      {evaluations.map(({ id, name, dataset_id }) => (
        <Link key={id} to="/$workspace/evaluations/$evaluation" params={{ workspace: String(workspace), evaluation: String(id) }} search={{}} className="flex justify-between gap-3 rounded px-2 py-1.5 hover:bg-hover">
          <span className="truncate">{name}</span>
          <span className="shrink-0 text-faint">{versionName(versions.find((version) => version.id === dataset_id) ?? { version_number: 0 }).toLowerCase()}</span>
        </Link>
      ))}
    </Popover>
  )
}
