import { useState } from 'react'
import { same } from '@/lib/json'
import { CodeEditor } from '@/ui/code'

/** Edits a JSON value as text. Invalid JSON is not passed on. */
export function JsonInput({ value, onChange, label, locked, check }: {
  value: unknown
  onChange: (value: unknown) => void
  label: string
  locked: boolean
  /** Returns what is wrong with a value, or null. */
  check?: (value: unknown) => string | null
}) {
  const [text, setText] = useState(() => write(value))
  const [seen, setSeen] = useState(value)
  if (seen !== value) {
    // The value was changed elsewhere, for example by undo.
    setSeen(value)
    const typed = read(text)
    if (typed === undefined || !same(typed.value, value)) setText(write(value))
  }
  const typed = read(text)
  const wrong = typed === undefined ? 'Invalid JSON. The last valid value is used.' : (check?.(typed.value) ?? null)
  return (
    <div className="flex flex-col gap-1">
      <CodeEditor
        label={label}
        language="json"
        value={text}
        readOnly={locked}
        onChange={(next) => {
          setText(next)
          const parsed = read(next)
          if (parsed !== undefined && (check?.(parsed.value) ?? null) === null) onChange(parsed.value)
        }}
      />
      {wrong !== null && <p role="alert" className="text-[13px] text-bad">{wrong}</p>}
    </div>
  )
}

function write(value: unknown): string {
  return JSON.stringify(value, null, 2) ?? 'null'
}

function read(text: string): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) as unknown }
  } catch {
    return undefined
  }
}
