import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useSession } from '@/api/session'
import { replayQuery } from '@/request/data'
import { readModel } from '@/template/types'
import { CodeDiff } from '@/ui/code'
import { Dialog } from '@/ui/dialog'
import { Field, Select } from '@/ui/field'
import { textOfLog } from '../model/start'
import type { Playground } from '../use-playground'

/** Compares the answers of two columns, or one with the logged answer that the session started from. */
export function DifferencesDialog({ playground: { session, answers }, request, onClose }: { playground: Playground; request?: number; onClose: () => void }) {
  const { workspace_id: workspace } = useSession()
  const log = useQuery({ ...replayQuery(workspace, request ?? 0), enabled: request !== undefined }).data
  const original = log === undefined ? '' : textOfLog(log.prompt_blueprint)
  const columns = session.columns.flatMap((column, index) => {
    const text = answers.get(column.id)?.text ?? ''
    return text === '' ? [] : [{ text, title: `Column ${index + 1}, ${readModel(column.metadata)?.name ?? 'no model'}` }]
  })
  const said = [...(original === '' ? [] : [{ text: original, title: `Original, ${log?.model ?? 'no model'}` }]), ...columns]
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
