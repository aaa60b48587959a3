import { ChevronDown } from 'lucide-react'
import { useMay } from '@/api/session'
import { Badge } from '@/ui/badge'
import { Menu, MenuItem, MenuLabel, MenuSeparator } from '@/ui/menu'
import type { Prompt, Version } from '../data'
import { labelTone } from '../labels'
import { useLabelActions, type PlacedLabel } from './label-actions'

/** The kind under which a label is dragged. */
export const labelKind = 'application/x-promptuary-label'

/** A label: drag it to another version, or open its menu. */
export function LabelChip({ prompt, label, versions }: { prompt: Prompt; label: PlacedLabel; versions: Version[] }) {
  const mayDeploy = useMay('PROMPT_DEPLOY')
  const { move, askToDelete } = useLabelActions(prompt)
  if (!mayDeploy) return <Badge tone={labelTone(label.name)}>{label.name}</Badge>
  const menu = (
    <Menu
      align="start"
      trigger={
        <button type="button" aria-label={`Label ${label.name} at version ${label.version}: move or delete`} className="-mr-1 rounded p-0.5 hover:bg-hover">
          <ChevronDown className="size-3" />
        </button>
      }
    >
      <MenuLabel>Move {label.name} from version {label.version} to</MenuLabel>
      {versions.filter(({ number }) => number !== label.version).slice(0, 30).map((version) => (
        <MenuItem key={version.id} onSelect={() => void move(label, version.number)}>
          Version {version.number} <span className="ml-auto max-w-52 truncate pl-4 text-xs text-faint">{version.commit_message}</span>
        </MenuItem>
      ))}
      <MenuSeparator />
      <MenuItem danger onSelect={() => void askToDelete(label)}>Delete the label…</MenuItem>
    </Menu>
  )
  return (
    <span
      draggable
      title={`Drag ${label.name} to the version that it is to point at`}
      onDragStart={(event) => {
        event.dataTransfer.setData(labelKind, String(label.id))
        event.dataTransfer.effectAllowed = 'move'
      }}
      className="inline-flex max-w-full cursor-grab active:cursor-grabbing"
    >
      <Badge tone={labelTone(label.name)}>{label.name}{menu}</Badge>
    </span>
  )
}
