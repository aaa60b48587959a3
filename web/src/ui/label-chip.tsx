import { ChevronDown } from 'lucide-react'
import { Badge } from './badge'
import type { LabelChanges, PlacedLabel } from './label-changes'
import { labelTone } from './label-tone'
import { Menu, MenuItem, MenuLabel, MenuSeparator } from './menu'

/** A label with a menu to move or delete it. */
export function LabelChip({ label, versions, changes }: { label: PlacedLabel; versions: { number: number; commit_message: string | null }[]; changes: LabelChanges }) {
  return (
    <Badge tone={labelTone(label.name)}>
      {label.name}
      <Menu
        align="start"
        trigger={
          <button type="button" aria-label={`Label ${label.name} on version ${label.version}: move or delete`} className="-mr-1 rounded p-0.5 hover:bg-hover">
            <ChevronDown className="size-3" />
          </button>
        }
      >
        <MenuLabel>Move {label.name} from version {label.version} to</MenuLabel>
        {versions.filter(({ number }) => number !== label.version).slice(0, 30).map((version) => (
          <MenuItem key={version.number} onSelect={() => void changes.move(label, version.number)}>
            Version {version.number} <span className="ml-auto max-w-52 truncate pl-4 text-xs text-faint">{version.commit_message}</span>
          </MenuItem>
        ))}
        <MenuSeparator />
        <MenuItem danger onSelect={() => void changes.askToDelete(label)}>Delete label…</MenuItem>
      </Menu>
    </Badge>
  )
}

export function NewLabelButton({ version, onClick }: { version: number; onClick: () => void }) {
  return (
    <button type="button" onClick={onClick} aria-label={`Add label to version ${version}`} className="rounded border border-dashed border-line-strong px-1.5 text-xs whitespace-nowrap leading-[18px] text-faint hover:bg-hover hover:text-ink">
      + label
    </button>
  )
}
