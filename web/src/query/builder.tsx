import { ListPlus, Plus, X } from 'lucide-react'
import { useContext, useState } from 'react'
import { cn } from '@/lib/cn'
import { Button, IconButton } from '@/ui/button'
import { Select } from '@/ui/field'
import { ConditionEditor, FreeTextEditor, newCondition } from './condition-editor'
import { hasKeys } from './fields'
import { findError } from './parse'
import type { QueryState } from './state'
import { print, printNode, type Group, type QueryNode } from './syntax'
import { QueryVocabulary } from './vocabulary-context'

/** Edits a query with forms, including groups, and returns it as text. */
export default function Builder({ root, context, onApply, onCancel }: { root: Group; context: QueryState; onApply: (text: string) => void; onCancel: () => void }) {
  const vocabulary = useContext(QueryVocabulary)
  const [draft, setDraft] = useState<Group>(root.nodes.length === 0 ? { ...root, nodes: [newCondition(vocabulary)] } : root)
  const text = print(draft)
  const problem = incomplete(draft) ?? findError(text, vocabulary)?.message ?? null
  const apply = () => problem === null && onApply(text)
  return (
    <div className="flex flex-col gap-3">
      <GroupEditor group={draft} onChange={setDraft} context={context} onEnter={apply} root />
      <p className="rounded bg-sunken px-2 py-1 font-mono text-xs break-words text-dim">{text === '' ? `All ${vocabulary.noun}` : text}</p>
      <div className="flex items-center justify-end gap-2">
        {problem !== null && <p className="mr-auto text-[13px] text-faint">{problem}</p>}
        <Button small onClick={onCancel}>Cancel</Button>
        <Button small look="primary" disabled={problem !== null} onClick={apply}>Apply</Button>
      </div>
    </div>
  )
}

/** Returns what is missing, or null. */
function incomplete(node: QueryNode): string | null {
  if (node.kind === 'group') return node.nodes.map(incomplete).find((problem) => problem !== null) ?? null
  if (node.kind === 'text') return node.text.trim() === '' ? 'Enter a text' : null
  if (hasKeys(node.field) && (node.key ?? '') === '') return 'Enter a key'
  if (node.values.some((value) => value === '' && node.field.type !== 'string' && node.field.type !== 'nested') || printNode(node).endsWith(':')) return 'Enter a value'
  return node.values.length === 1 && node.values[0] === '' ? 'Enter a value' : null
}

function GroupEditor({ group, onChange, onRemove, context, onEnter, root = false }: {
  group: Group
  onChange: (group: Group) => void
  onRemove?: () => void
  context: QueryState
  onEnter: () => void
  root?: boolean
}) {
  const replace = (index: number, node: QueryNode) => onChange({ ...group, nodes: group.nodes.map((old, at) => (at === index ? node : old)) })
  const remove = (index: number) => onChange({ ...group, nodes: group.nodes.filter((_, at) => at !== index) })
  const add = (node: QueryNode) => onChange({ ...group, nodes: [...group.nodes, node] })
  const vocabulary = useContext(QueryVocabulary)
  const added = newCondition(vocabulary)
  const setLogic = (choice: string) => {
    const next: Group = { kind: 'group', logic: choice.endsWith('OR') ? 'OR' : 'AND', ...(choice.startsWith('SPAN') ? { span: true } : {}), nodes: group.nodes }
    // The top level is always joined with AND: anything else there is a group of its own.
    onChange(root && choice !== 'AND' ? { kind: 'group', logic: 'AND', nodes: [next] } : next)
  }
  return (
    <fieldset className={cn('flex min-w-0 flex-col gap-1.5', !root && 'rounded-md border border-line bg-canvas p-2')}>
      <legend className="sr-only">{root ? 'Filters' : 'Filter group'}</legend>
      {(group.nodes.length > 1 || !root) && (
        <div className="flex items-center gap-2 text-[13px] text-dim">
          <Select aria-label="Combine filters with" className="h-7" value={`${group.span ? 'SPAN_' : ''}${group.logic}`} onChange={(event) => setLogic(event.target.value)}>
            <option value="AND">Match all</option>
            <option value="OR">Match any</option>
            {vocabulary.spans && <option value="SPAN_AND">One span matches all</option>}
            {vocabulary.spans && <option value="SPAN_OR">One span matches any</option>}
          </Select>
          {onRemove && <IconButton small label="Remove group" className="ml-auto" onClick={onRemove}><X /></IconButton>}
        </div>
      )}
      {group.nodes.map((node, index) => {
        const shared = { onRemove: () => remove(index), context, onEnter }
        if (node.kind === 'group') return <GroupEditor key={index} group={node} onChange={(next) => replace(index, next)} {...shared} />
        if (node.kind === 'text') return <FreeTextEditor key={index} node={node} onChange={(next) => replace(index, next)} {...shared} />
        return <ConditionEditor key={index} node={node} onChange={(next) => replace(index, next)} {...shared} />
      })}
      <div className="flex gap-1">
        <Button small look="quiet" onClick={() => add(added)}><Plus /> Add filter</Button>
        <Button small look="quiet" onClick={() => add({ kind: 'group', logic: group.logic === 'AND' ? 'OR' : 'AND', nodes: [added] })}><ListPlus /> Add group</Button>
      </div>
    </fieldset>
  )
}
