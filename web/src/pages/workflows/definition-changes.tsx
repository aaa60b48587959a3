import { useState } from 'react'
import { typeLabel } from '@/step/node-types'
import { Badge, type Tone } from '@/ui/badge'
import { CodeDiff } from '@/ui/code'
import { NodeIcon } from './graph/icons'
import type { Definition } from './model/definition'
import { definitionText, diffDefinitions, nodeText, type ChangeKind, type NodeChange } from './model/diff'

const tones: Record<ChangeKind, Tone> = { added: 'good', removed: 'bad', changed: 'warn', unchanged: 'neutral' }

/** The differences between two definitions: changed nodes side by side, then conditions and input variables. */
export function DefinitionChanges({ before, after, open = false }: { before: Definition; after: Definition; /** Whether the first few are expanded. */ open?: boolean }) {
  const diff = diffDefinitions(before, after)
  const changed = diff.nodes.filter((node) => node.kind !== 'unchanged')
  const unchanged = diff.nodes.length - changed.length
  if (diff.same) return <p className="py-6 text-center text-faint">No differences.</p>
  return (
    <div className="flex flex-col gap-2">
      {diff.variablesDiffer && <Part title="Input variables" kind="changed" open={open} before={text(before.variables)} after={text(after.variables)} />}
      {changed.map((node, index) => <ChangedNode key={node.name} change={node} open={open && index < 4} />)}
      {diff.conditionsDiffer && <Part title="Conditions" kind="changed" open={open} before={text(before.edges)} after={text(after.edges)} />}
      {unchanged > 0 && <p className="text-[13px] text-faint">{unchanged} {unchanged === 1 ? 'node is' : 'nodes are'} unchanged.</p>}
    </div>
  )
}

/** Both definitions as text. */
export function WholeDiff({ before, after }: { before: Definition; after: Definition }) {
  return <CodeDiff language="json" before={definitionText(before)} after={definitionText(after)} />
}

function ChangedNode({ change, open }: { change: NodeChange; open: boolean }) {
  const type = (change.after ?? change.before)?.node_type ?? ''
  return (
    <Part
      title={change.name}
      note={[typeLabel(type), ...change.parts].join(' · ')}
      icon={<NodeIcon type={type} className="size-4 text-accent-ink" />}
      kind={change.kind}
      open={open}
      before={nodeText(change.before)}
      after={nodeText(change.after)}
    />
  )
}

function Part({ title, note, icon, kind, before, after, open: openAtFirst }: { title: string; note?: string; icon?: React.ReactNode; kind: ChangeKind; before: string; after: string; open: boolean }) {
  const [open, setOpen] = useState(openAtFirst)
  return (
    <details open={open} onToggle={(event) => setOpen(event.currentTarget.open)} className="rounded-md border border-line bg-surface">
      <summary className="flex items-center gap-2 px-3 py-2 hover:bg-hover">
        {icon}
        <span className="max-w-[60%] shrink-0 truncate font-medium">{title}</span>
        {note && <span className="min-w-0 truncate text-[13px] text-faint">{note}</span>}
        <span className="ml-auto shrink-0"><Badge tone={tones[kind]}>{kind}</Badge></span>
      </summary>
      {open && <div className="border-t border-line p-2"><CodeDiff language="json" before={before} after={after} /></div>}
    </details>
  )
}

function text(value: unknown): string {
  return JSON.stringify(value, null, 2)
}
