import { Plus, X } from 'lucide-react'
import { useState } from 'react'
import { same } from '@/lib/json'
import { SourceSelect, type Scope } from '@/step/source-select'
import { Button, IconButton } from '@/ui/button'
import { Input, Select } from '@/ui/field'
import { newConditional, readOperand, readTyped, takesRight, writeOperand, writeTyped, type Operand } from '../model/conditions'
import { operators, type Conditional, type Edge } from '../model/definition'

const operatorWords: Record<Conditional['operator'], string> = {
  '=': 'equals', '!=': 'is not', '<': 'less than', '>': 'greater than', '<=': 'at most', '>=': 'at least', in: 'is in', not_in: 'is not in', is_null: 'is null', is_not_null: 'is not null',
}

/** When an edge is followed: all or any of its comparisons must be true. */
export function ConditionEditor({ edge, scope, onChange, onRemove }: { edge: Edge; scope: Scope; onChange: (edge: Edge) => void; onRemove: () => void }) {
  const { conditionals } = edge
  const set = (list: Conditional[]) => onChange({ ...edge, conditionals: list.map((one, position) => ({ ...one, position })) })
  return (
    <div className="flex flex-col gap-2 border-t border-line bg-sunken px-2.5 py-2 text-[13px]">
      <div className="flex items-center gap-2">
        <span className="text-dim">Run only if</span>
        {conditionals.length > 1 ? (
          <Select aria-label="Match" className="h-7" disabled={scope.locked} value={edge.is_and ? 'all' : 'any'} onChange={(event) => onChange({ ...edge, is_and: event.target.value === 'all' })}>
            <option value="all">all are true</option>
            <option value="any">any is true</option>
          </Select>
        ) : null}
        {!scope.locked && (
          <span className="ml-auto flex gap-1">
            <IconButton small label="Add comparison" onClick={() => set([...conditionals, newConditional(edge.source_node_name, conditionals.length)])}>
              <Plus />
            </IconButton>
            <Button small look="quiet" onClick={onRemove}>Remove condition</Button>
          </span>
        )}
      </div>
      {conditionals.map((one, index) => (
        <ConditionalRow
          key={index}
          one={one}
          scope={scope}
          onChange={(next) => set(conditionals.with(index, next))}
          onRemove={conditionals.length > 1 ? () => set(conditionals.toSpliced(index, 1)) : null}
        />
      ))}
    </div>
  )
}

function ConditionalRow({ one, scope, onChange, onRemove }: { one: Conditional; scope: Scope; onChange: (next: Conditional) => void; onRemove: (() => void) | null }) {
  return (
    <div className="flex items-start gap-1">
      <div className="grid min-w-0 flex-1 grid-cols-[minmax(0,1.7fr)_auto_minmax(0,1fr)] items-end gap-1 max-sm:grid-cols-1">
        <OperandInput label="Left side" scope={scope} value={readOperand(one.left_config)} onChange={(operand) => onChange({ ...one, left_config: writeOperand(operand) })} />
        <Select
          aria-label="Comparison"
          disabled={scope.locked}
          value={one.operator}
          onChange={(event) => onChange({ ...one, operator: operators.find((operator) => operator === event.target.value) ?? '=' })}
        >
          {operators.map((operator) => <option key={operator} value={operator}>{operatorWords[operator]}</option>)}
        </Select>
        {takesRight(one.operator) && <OperandInput label="Right side" scope={scope} value={readOperand(one.right_config)} onChange={(operand) => onChange({ ...one, right_config: writeOperand(operand) })} />}
      </div>
      {onRemove !== null && !scope.locked && (
        <IconButton small label="Remove comparison" onClick={onRemove}>
          <X />
        </IconButton>
      )}
    </div>
  )
}

/** One side: a value by name, or a fixed value. */
function OperandInput({ value, onChange, scope, label }: { value: Operand; onChange: (operand: Operand) => void; scope: Scope; label: string }) {
  return (
    <div className="flex min-w-0 flex-col gap-1">
      <Select
        aria-label={`${label}: kind`}
        className="h-6 border-transparent bg-transparent px-0 text-xs text-faint"
        disabled={scope.locked}
        value={value.kind}
        onChange={(event) => onChange(event.target.value === 'source' ? { kind: 'source', name: scope.nodes[0] ?? scope.variables[0] ?? '' } : { kind: 'value', value: true })}
      >
        <option value="source">value of</option>
        <option value="value">fixed</option>
      </Select>
      {value.kind === 'source' ? (
        <SourceSelect label={label} scope={scope} value={value.name} onChange={(name) => onChange({ kind: 'source', name })} />
      ) : (
        <TypedInput label={label} locked={scope.locked} value={value.value} onChange={(next) => onChange({ kind: 'value', value: next })} />
      )}
    </div>
  )
}

/** A fixed value: parsed as JSON if valid, else as text. */
function TypedInput({ value, onChange, label, locked }: { value: unknown; onChange: (value: unknown) => void; label: string; locked: boolean }) {
  const [text, setText] = useState(() => writeTyped(value))
  const [seen, setSeen] = useState(value)
  if (seen !== value) {
    setSeen(value)
    if (!same(readTyped(text), value)) setText(writeTyped(value))
  }
  return (
    <Input
      aria-label={label}
      title="true, false, null, a number or text"
      className="font-mono text-[13px]"
      disabled={locked}
      value={text}
      onChange={(event) => {
        setText(event.target.value)
        onChange(readTyped(event.target.value))
      }}
    />
  )
}
