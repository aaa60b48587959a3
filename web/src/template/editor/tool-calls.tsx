import { Trash2, Wrench } from 'lucide-react'
import { replaced, without } from '@/lib/lists'
import { IconButton } from '@/ui/button'
import { CodeEditor } from '@/ui/code'
import { Input } from '@/ui/field'
import type { ToolCall } from '../types'

/** The tool calls of an assistant message, collapsed. */
export function ToolCalls({ value, onChange, label, readOnly }: { value: ToolCall[]; onChange: (value: ToolCall[]) => void; label: string; readOnly?: boolean }) {
  const set = (index: number, call: ToolCall) => onChange(replaced(value, index, call))
  return (
    <ul aria-label={`Tool calls of ${label}`} className="mt-2 flex flex-col gap-1.5">
      {value.map((call, index) => (
        <li key={index} className="flex items-start gap-1">
          <details className="min-w-0 flex-1 rounded-md border border-line bg-sunken" open={call.function.name === ''}>
            <summary className="px-2.5 py-1.5 text-[13px]">
              <Wrench className="mr-1.5 inline size-3.5 text-warn" />
              <span className="font-mono text-xs">{call.function.name || 'Unnamed tool'}</span> <span className="text-faint">{call.id}</span>
            </summary>
            <div className="flex flex-col gap-2 px-2.5 pb-2.5">
              <div className="grid grid-cols-2 gap-2">
                <Input aria-label={`Tool of call ${index + 1}`} placeholder="Tool name" readOnly={readOnly} value={call.function.name} onChange={(event) => set(index, { ...call, function: { ...call.function, name: event.target.value } })} />
                <Input aria-label={`ID of call ${index + 1}`} placeholder="ID" readOnly={readOnly} value={call.id} onChange={(event) => set(index, { ...call, id: event.target.value })} />
              </div>
              <CodeEditor label={`Arguments of call ${index + 1}`} language="json" readOnly={readOnly} value={call.function.arguments} onChange={(written) => set(index, { ...call, function: { ...call.function, arguments: written } })} />
            </div>
          </details>
          {!readOnly && <IconButton small label={`Remove call ${index + 1}`} onClick={() => onChange(without(value, index))}><Trash2 /></IconButton>}
        </li>
      ))}
    </ul>
  )
}
