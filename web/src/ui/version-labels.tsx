import { useState } from 'react'
import type { LabelChanges, PlacedLabel } from './label-changes'
import { LabelChip, NewLabelButton } from './label-chip'
import { NewLabelDialog } from './new-label'
import { ReleaseLabels } from './versions'

interface LabelledVersion {
  number: number
  commit_message: string | null
  release_labels: { id: number; name: string }[]
}

/** The labels of one listed version. Users who may deploy can move, delete and add labels. */
export function VersionLabels({ version, versions, changes, may }: { version: LabelledVersion; versions: LabelledVersion[]; changes: LabelChanges; may: boolean }) {
  const [labelling, setLabelling] = useState(false)
  if (!may) return <ReleaseLabels names={version.release_labels.map(({ name }) => name)} />
  const placed = (of: LabelledVersion): PlacedLabel[] => of.release_labels.map((label) => ({ ...label, version: of.number }))
  return (
    <span className="inline-flex flex-wrap items-center gap-1 md:min-w-36">
      {placed(version).map((label) => <LabelChip key={label.id} label={label} versions={versions} changes={changes} />)}
      <NewLabelButton version={version.number} onClick={() => setLabelling(true)} />
      {labelling && <NewLabelDialog version={version.number} labels={versions.flatMap(placed)} changes={changes} onClose={() => setLabelling(false)} />}
    </span>
  )
}
