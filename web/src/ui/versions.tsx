import { ArrowLeftRight } from 'lucide-react'
import { Badge } from './badge'
import { IconButton } from './button'
import { Select } from './field'
import { labelTone } from './label-tone'

interface ListedVersion {
  number: number
  release_labels: { name: string }[]
}

/** The release labels of a version. */
export function ReleaseLabels({ names }: { names: string[] }) {
  return (
    <span className="inline-flex flex-wrap gap-1">
      {names.map((name) => <Badge key={name} tone={labelTone(name)}>{name}</Badge>)}
    </span>
  )
}

/** A select of versions with their labels. */
export function VersionSelect({ label, versions, value, onChange }: { label: string; versions: ListedVersion[]; value: number; onChange: (number: number) => void }) {
  const known = versions.some((version) => version.number === value)
  return (
    <Select aria-label={label} className="max-w-60" value={value} onChange={(event) => onChange(Number(event.target.value))}>
      {!known && <option value={value}>Version {value}</option>}
      {versions.map((version) => (
        <option key={version.number} value={version.number}>
          Version {version.number}{version.release_labels.length > 0 ? ` (${version.release_labels.map(({ name }) => name).join(', ')})` : ''}
        </option>
      ))}
    </Select>
  )
}

/** Selects the two versions to compare, with a button to swap them. */
export function ComparedVersions({ versions, before, after, onChange }: { versions: ListedVersion[]; before: number; after: number; onChange: (before: number, after: number) => void }) {
  return (
    <>
      <VersionSelect label="Before" versions={versions} value={before} onChange={(number) => onChange(number, after)} />
      <IconButton small label="Swap versions" onClick={() => onChange(after, before)}><ArrowLeftRight /></IconButton>
      <VersionSelect label="After" versions={versions} value={after} onChange={(number) => onChange(before, number)} />
    </>
  )
}
