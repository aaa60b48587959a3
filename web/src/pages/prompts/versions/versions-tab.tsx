import { Link } from '@tanstack/react-router'
import { Ellipsis } from 'lucide-react'
import { useState } from 'react'
import { useMay, useSession } from '@/api/session'
import { cn } from '@/lib/cn'
import type { Prompt, Version } from '@/template/data'
import { modelWords } from '@/template/version-words'
import { Badge } from '@/ui/badge'
import { Button, IconButton } from '@/ui/button'
import type { LabelChanges, PlacedLabel } from '@/ui/label-changes'
import { LabelChip, NewLabelButton } from '@/ui/label-chip'
import { labelTone } from '@/ui/label-tone'
import { Menu, MenuItem, MenuLabel, MenuLink, MenuSeparator } from '@/ui/menu'
import { NewLabelDialog } from '@/ui/new-label'
import { Ago } from '@/ui/time'
import { useLabelActions } from './label-actions'

/** The MIME type of dragged labels. */
const labelKind = 'application/x-promptuary-label'

/** All versions, newest first. Labels can be dragged to another row, or moved by menu. */
export function VersionsTab({ prompt, versions, loadMore }: { prompt: Prompt; versions: Version[]; loadMore?: () => void }) {
  const [labelling, setLabelling] = useState<number | null>(null)
  const changes = useLabelActions(prompt)
  const labels = versions.flatMap((version) => version.release_labels.map((label) => ({ ...label, version: version.number })))
  return (
    <div className="p-4 md:px-5">
      <div className="overflow-x-auto rounded-lg border border-line bg-surface">
        <table aria-label="Versions" className="w-full border-collapse text-left">
          <thead>
            <tr className="border-b border-line text-xs text-faint">
              {['Version', 'Labels', 'What changed'].map((title) => <th key={title} scope="col" className="px-4 py-2 font-medium">{title}</th>)}
              <th scope="col" className="hidden px-4 py-2 font-medium md:table-cell">Model</th>
              <th scope="col" className="hidden px-4 py-2 font-medium lg:table-cell">By</th>
              <th scope="col" className="hidden px-4 py-2 text-right font-medium sm:table-cell">Saved</th>
              <th scope="col" className="w-10 px-2 py-2"><span className="sr-only">Actions</span></th>
            </tr>
          </thead>
          <tbody>
            {versions.map((version) => <Row key={version.id} prompt={prompt} version={version} versions={versions} labels={labels} changes={changes} onLabel={() => setLabelling(version.number)} />)}
          </tbody>
        </table>
      </div>
      {loadMore && <div className="pt-3 text-center"><Button onClick={loadMore}>Show older versions</Button></div>}
      <p className="pt-3 text-[13px] text-faint">Applications fetch prompts by label. To release a version, drag a label to its row or use the label’s menu.</p>
      {labelling !== null && <NewLabelDialog version={labelling} labels={labels} changes={changes} onClose={() => setLabelling(null)} />}
    </div>
  )
}

interface RowProps {
  prompt: Prompt
  version: Version
  versions: Version[]
  labels: PlacedLabel[]
  changes: LabelChanges
  onLabel: () => void
}

function Row({ prompt, version, versions, labels, changes, onLabel }: RowProps) {
  const { workspace_id } = useSession()
  const mayDeploy = useMay('PROMPT_DEPLOY')
  const [over, setOver] = useState(false)
  const params = { workspace: String(workspace_id), prompt: String(prompt.id) }
  const latest = versions[0]?.number === version.number
  const drop = (event: React.DragEvent) => {
    setOver(false)
    const label = labels.find(({ id }) => String(id) === event.dataTransfer.getData(labelKind))
    if (label === undefined) return
    event.preventDefault()
    void changes.move(label, version.number)
  }
  return (
    <tr
      onDragOver={(event) => {
        if (!mayDeploy || !event.dataTransfer.types.includes(labelKind)) return
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={(event) => !event.currentTarget.contains(event.relatedTarget as Node | null) && setOver(false)}
      onDrop={drop}
      className={cn('border-b border-line align-top last:border-0', over && 'bg-accent-soft outline-2 -outline-offset-2 outline-accent')}
    >
      <td className="px-4 py-2.5 whitespace-nowrap">
        <Link to="/$workspace/prompts/$prompt" params={params} search={latest ? {} : { version: version.number }} className="tabular font-medium hover:underline">Version {version.number}</Link>
        {latest && <span className="ml-1.5 text-xs text-faint">latest</span>}
      </td>
      <td className="px-4 py-2">
        <span className="flex flex-wrap items-center gap-1">
          {version.release_labels.map((label) => (mayDeploy ? <DraggedLabel key={label.id} label={{ ...label, version: version.number }} versions={versions} changes={changes} /> : <Badge key={label.id} tone={labelTone(label.name)}>{label.name}</Badge>))}
          {mayDeploy && <NewLabelButton version={version.number} onClick={onLabel} />}
        </span>
      </td>
      <td className="max-w-md px-4 py-2.5 break-words text-dim">{version.commit_message ?? <span className="text-faint">No message</span>}</td>
      <td className="hidden px-4 py-2.5 text-dim md:table-cell">{modelWords(version)}</td>
      <td className="hidden max-w-48 truncate px-4 py-2.5 text-dim lg:table-cell">{version.created_by ?? 'API key'}</td>
      <td className="hidden px-4 py-2.5 text-right text-dim sm:table-cell"><Ago at={version.created_at} /></td>
      <td className="px-2 py-1.5"><RowMenu prompt={prompt} version={version} versions={versions} labels={labels} changes={changes} onLabel={onLabel} /></td>
    </tr>
  )
}

/** A label that can also be dragged to another version. */
function DraggedLabel({ label, versions, changes }: { label: PlacedLabel; versions: Version[]; changes: LabelChanges }) {
  return (
    <span
      draggable
      title={`Drag ${label.name} to another version`}
      onDragStart={(event) => {
        event.dataTransfer.setData(labelKind, String(label.id))
        event.dataTransfer.effectAllowed = 'move'
      }}
      className="inline-flex max-w-full cursor-grab active:cursor-grabbing"
    >
      <LabelChip label={label} versions={versions} changes={changes} />
    </span>
  )
}

function RowMenu({ prompt, version, versions, labels, changes, onLabel }: RowProps) {
  const { workspace_id } = useSession()
  const mayDeploy = useMay('PROMPT_DEPLOY')
  const params = { workspace: String(workspace_id), prompt: String(prompt.id) }
  const older = versions.find(({ number }) => number < version.number)
  const latest = versions[0]?.number ?? version.number
  const elsewhere = labels.filter((label) => label.version !== version.number)
  const compare = (before: number, after: number) => ({ tab: 'compare', compare: before, version: after }) as const
  return (
    <Menu trigger={<IconButton small label={`Actions for version ${version.number}`}><Ellipsis /></IconButton>}>
      <MenuLink><Link to="/$workspace/prompts/$prompt" params={params} search={version.number === latest ? {} : { version: version.number }}>Open in editor</Link></MenuLink>
      {older && <MenuLink><Link to="/$workspace/prompts/$prompt" params={params} search={compare(older.number, version.number)}>Compare with version {older.number}</Link></MenuLink>}
      {version.number !== latest && <MenuLink><Link to="/$workspace/prompts/$prompt" params={params} search={compare(version.number, latest)}>Compare with latest</Link></MenuLink>}
      <MenuLink><Link to="/$workspace/playground" params={{ workspace: params.workspace }} search={{ prompt: prompt.id, version: version.number }}>Open in playground</Link></MenuLink>
      {mayDeploy && (
        <>
          <MenuSeparator />
          <MenuItem onSelect={onLabel}>Add label…</MenuItem>
          {elsewhere.length > 0 && <MenuLabel>Move here</MenuLabel>}
          {elsewhere.map((label) => <MenuItem key={label.id} onSelect={() => void changes.move(label, version.number)}>{label.name}, from version {label.version}…</MenuItem>)}
        </>
      )}
    </Menu>
  )
}
