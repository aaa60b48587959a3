import { useQuery } from '@tanstack/react-query'
import { useSession } from '@/api/session'
import { Combobox } from '@/ui/combobox'
import { foldersQuery, type Folder } from './data'
import { folderPath, isWithin } from './tree'

/** The option value for no folder. */
const top = 'top'

/** A folder select that shows full paths. Null is no folder. */
export function FolderChoice({ value, onChange, label, except }: { value: number | null; onChange: (folder: Folder | null) => void; label: string; except?: number }) {
  const { workspace_id: workspace } = useSession()
  const folders = useQuery(foldersQuery(workspace)).data ?? []
  const options = folders
    .filter(({ id }) => except === undefined || !isWithin(folders, id, except))
    .map((folder) => ({ value: String(folder.id), label: folderPath(folders, folder.id).map(({ name }) => name).join(' / ') }))
    .sort((one, other) => one.label.localeCompare(other.label))
  return (
    <Combobox
      label={label}
      className="w-full"
      options={[{ value: top, label: 'No folder' }, ...options]}
      value={value === null ? top : String(value)}
      onChange={(next) => onChange(folders.find(({ id }) => String(id) === next) ?? null)}
    />
  )
}
