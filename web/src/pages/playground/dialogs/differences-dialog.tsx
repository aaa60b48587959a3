import { useState } from 'react'
import { readModel } from '@/template/types'
import { CodeDiff } from '@/ui/code'
import { Dialog } from '@/ui/dialog'
import { Field, Select } from '@/ui/field'
import type { Playground } from '../use-playground'

/** Compares the answers of two columns. */
export function DifferencesDialog({ playground: { session, answers }, onClose }: { playground: Playground; onClose: () => void }) {
  const said = session.columns.flatMap((column, index) => {
    const text = answers.get(column.id)?.text ?? ''
    return text === '' ? [] : [{ text, title: `Column ${index + 1}, ${readModel(column.metadata)?.name ?? 'no model'}` }]
  })
  const [left, setLeft] = useState(0)
  const [right, setRight] = useState(1)
  const choice = (label: string, value: number, onChange: (value: number) => void) => (
    <Field label={label}>
      {(control) => (
        <Select {...control} value={value} onChange={(event) => onChange(Number(event.target.value))}>
          {said.map(({ title }, index) => <option key={index} value={index}>{title}</option>)}
        </Select>
      )}
    </Field>
  )
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()} size="wide" title="Compare answers">
      <div className="mb-3 grid grid-cols-2 gap-3">
        {choice('Left', left, setLeft)}
        {choice('Right', right, setRight)}
      </div>
      <CodeDiff before={said[left]?.text ?? ''} after={said[right]?.text ?? ''} className="max-h-[60dvh]" />
    </Dialog>
  )
}
