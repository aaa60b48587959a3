import { X } from 'lucide-react'
import { useContext, useState, type ReactNode } from 'react'
import { cn } from '@/lib/cn'
import { IconButton } from '@/ui/button'
import { Input, Select } from '@/ui/field'
import { arityOf, hasKeys, operatorLabels, operatorsOf, type Field, type Operator, type Vocabulary } from './fields'
import type { QueryState } from './state'
import { SuggestInput } from './suggest-input'
import { isSuggested, useKeys, useValues } from './suggestions'
import type { Condition, FreeText } from './syntax'
import { joinValues, splitValues } from './values'
import { QueryVocabulary } from './vocabulary-context'

/** The initial filter of a new row. */
export function newCondition({ fields }: Vocabulary): Condition {
  return { kind: 'condition', field: fields[0] as Field, operator: 'is', values: [''] }
}

interface Props<Node> {
  node: Node
  onChange: (node: Condition | FreeText) => void
  onRemove?: () => void
  onEnter?: () => void
  /** The query whose matches provide the suggested values. */
  context: QueryState
}

/** One filter as a row of controls. */
export function ConditionEditor({ node, onChange, onRemove, onEnter, context }: Props<Condition>) {
  const { field, operator } = node
  const arity = arityOf(field, operator)
  const chooseOperator = (next: Operator) => onChange({ ...node, operator: next, values: fit(node.values, arityOf(field, next)) })
  return (
    <div className="flex flex-wrap items-center gap-1.5">
      <FieldSelect about={field.description} value={field.api} onChange={(choice) => onChange(choice === freeText ? { kind: 'text', text: node.values[0] ?? '', exact: false, negated: false } : withField(node, choice))} />
      {hasKeys(field) && <KeyInput field={field} value={node.key ?? ''} context={context} onChange={(key) => onChange({ ...node, key })} />}
      <Select aria-label="Comparison" value={operator} onChange={(event) => chooseOperator(event.target.value as Operator)}>
        {operatorsOf(field).map((name) => <option key={name} value={name}>{operatorLabels[name]}</option>)}
      </Select>
      <Ending onRemove={onRemove} empty={arity === 'none'}>
        {arity === 'pair' && [0, 1].map((index) => (
          <ValueInput key={index} label={index === 0 ? 'From' : 'To'} field={field} value={node.values[index] ?? ''} onChange={(value) => onChange({ ...node, values: [0, 1].map((at) => (at === index ? value : (node.values[at] ?? ''))) })} />
        ))}
        {arity === 'one' && <OneValue {...{ node, onChange, context, onEnter }} />}
        {arity === 'list' && <ListValue key={field.api} {...{ node, onChange, context, onEnter }} />}
      </Ending>
    </div>
  )
}

/** The end of a row. On narrow screens it wraps together with the value. */
function Ending({ onRemove, empty = false, children }: { onRemove?: () => void; empty?: boolean; children: ReactNode }) {
  return (
    <div className={cn('flex items-center gap-1.5', !empty && 'min-w-32 flex-1')}>
      {children}
      {onRemove && <IconButton small label="Remove filter" onClick={onRemove}><X /></IconButton>}
    </div>
  )
}

const freeText = 'free text'

function FieldSelect({ value, about, onChange }: { value: string; about: string; onChange: (choice: Field | typeof freeText) => void }) {
  const { fields } = useContext(QueryVocabulary)
  const sections = [...new Set(fields.map((field) => field.section))]
  const choose = (api: string) => {
    const field = fields.find((other) => other.api === api)
    if (api === freeText) onChange(freeText)
    else if (field !== undefined) onChange(field)
  }
  return (
    <Select aria-label="Field" title={about} value={value} onChange={(event) => choose(event.target.value)} className="w-36">
      <option value={freeText}>Any text</option>
      {sections.map((section) => (
        <optgroup key={section} label={section}>
          {fields.filter((field) => field.section === section).map((field) => (
            <option key={field.api} value={field.api} title={field.description}>{field.name}{hasKeys(field) ? '.KEY' : ''}</option>
          ))}
        </optgroup>
      ))}
    </Select>
  )
}

/** Free text as a row of the builder. */
export function FreeTextEditor({ node, onChange, onRemove, onEnter }: Props<FreeText>) {
  const vocabulary = useContext(QueryVocabulary)
  const way = node.negated ? 'without' : node.exact ? 'exact' : 'words'
  return (
    <div className="flex flex-wrap items-center gap-1.5">
      <FieldSelect about="Input or output" value={freeText} onChange={(choice) => choice !== freeText && onChange(withField({ ...newCondition(vocabulary), values: [node.text] }, choice))} />
      <Select aria-label="Comparison" value={way} onChange={(event) => onChange({ ...node, negated: event.target.value === 'without', exact: event.target.value !== 'words' })}>
        <option value="words">contains the words</option>
        {(vocabulary.texts.length > 0 || way === 'exact') && <option value="exact">contains the exact text</option>}
        {vocabulary.texts.length > 0 && <option value="without">does not contain</option>}
      </Select>
      <Ending onRemove={onRemove}>
        <Input aria-label="Text" className="w-auto flex-1" value={node.text} onChange={(event) => onChange({ ...node, text: event.target.value })} onKeyDown={(event) => event.key === 'Enter' && onEnter?.()} />
      </Ending>
    </div>
  )
}

function withField(node: Condition, field: Field): Condition {
  const operator = arityOf(field, node.operator) === undefined ? (operatorsOf(field)[0] ?? 'is') : node.operator
  const keep = field.type === node.field.type && field.values === undefined
  return {
    kind: 'condition', field, operator, values: fit(keep ? node.values : [], arityOf(field, operator)),
    ...(hasKeys(field) ? { key: node.key ?? '' } : {}),
  }
}

/** The number of values that the operator takes. */
function fit(values: string[], arity: ReturnType<typeof arityOf>): string[] {
  if (arity === 'none') return []
  if (arity === 'pair') return [values[0] ?? '', values[1] ?? '']
  return arity === 'one' ? [values[0] ?? ''] : values.filter((value) => value !== '')
}

function KeyInput({ field, value, onChange, context }: { field: Field; value: string; onChange: (key: string) => void; context: QueryState }) {
  const [open, setOpen] = useState(false)
  const options = useKeys(field, value, context, open)
  return <SuggestInput label="Key" placeholder="key" value={value} onChange={onChange} options={options} open={open} onOpenChange={setOpen} />
}

type ValueProps = Pick<Props<Condition>, 'node' | 'onChange' | 'context' | 'onEnter'>

function OneValue({ node, onChange, context, onEnter }: ValueProps) {
  const { field, key } = node
  const value = node.values[0] ?? ''
  const [open, setOpen] = useState(false)
  const options = useValues(field, key, value, context, open)
  const set = (next: string) => onChange({ ...node, values: [next] })
  if (!isSuggested(field)) return <ValueInput label="Value" field={field} value={value} onChange={set} onEnter={onEnter} />
  return <SuggestInput label="Value" placeholder="value" value={value} onChange={set} onEnter={onEnter} options={options} open={open} onOpenChange={setOpen} />
}

function ListValue({ node, onChange, context, onEnter }: ValueProps) {
  const [text, setText] = useState(joinValues(node.values))
  const [open, setOpen] = useState(false)
  const last = text.slice(text.lastIndexOf(',') + 1).trimStart()
  const options = useValues(node.field, node.key, last, context, open).filter((value) => !node.values.includes(value) || value === last)
  const set = (next: string) => {
    setText(next)
    onChange({ ...node, values: splitValues(next) })
  }
  const take = (value: string) => joinValues([...splitValues(text.slice(0, text.length - last.length)), value]) + ', '
  return <SuggestInput label="Values" placeholder="values, separated by commas" value={text} onChange={set} onEnter={onEnter} options={options} take={take} open={open} onOpenChange={setOpen} />
}

function ValueInput({ label, field, value, onChange, onEnter }: { label: string; field: Field; value: string; onChange: (value: string) => void; onEnter?: () => void }) {
  const time = field.type === 'datetime'
  return (
    <Input
      aria-label={label}
      className="w-auto min-w-20 flex-1"
      type={time ? 'datetime-local' : 'text'}
      step={time ? 1 : undefined}
      inputMode={field.type === 'numeric' ? 'decimal' : undefined}
      placeholder={field.unit === 'ms' ? '2000 or 2s' : undefined}
      value={value}
      onChange={(event) => onChange(event.target.value)}
      onKeyDown={(event) => event.key === 'Enter' && onEnter?.()}
    />
  )
}
