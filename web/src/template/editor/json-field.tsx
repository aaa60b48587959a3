import { useState } from 'react'
import { CodeEditor } from '@/ui/code'

/**
 * An editable JSON value. Changes are passed on while they are valid; otherwise
 * the error is shown below.
 */
export function JsonField({ value, onChange, label, readOnly, expects = 'any', className }: {
  value: unknown
  onChange: (value: unknown) => void
  label: string
  readOnly?: boolean
  expects?: 'object' | 'any'
  className?: string
}) {
  const [typed, setTyped] = useState(() => write(value))
  const [known, setKnown] = useState(value)
  const [problem, setProblem] = useState<string | null>(null)
  if (known !== value) {
    // The value was changed elsewhere, so discard the typed text.
    setKnown(value)
    setTyped(write(value))
    setProblem(null)
  }
  const change = (text: string) => {
    if (text === typed) return
    setTyped(text)
    const read = parse(text, expects)
    setProblem(read.problem)
    if (read.problem === null) {
      setKnown(read.value)
      onChange(read.value)
    }
  }
  return (
    <div className={className}>
      <CodeEditor value={typed} onChange={change} language="json" label={label} readOnly={readOnly} />
      {problem !== null && <p role="alert" className="mt-1 text-[13px] text-bad">{problem}</p>}
    </div>
  )
}

function write(value: unknown): string {
  return value === undefined ? '' : JSON.stringify(value, null, 2)
}

function parse(text: string, expects: 'object' | 'any'): { value: unknown; problem: string | null } {
  try {
    const value = JSON.parse(text) as unknown
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
    return expects === 'object' && !isObject ? { value, problem: 'Must be a JSON object. Your changes are not applied until you fix this.' } : { value, problem: null }
  } catch (error) {
    return { value: undefined, problem: `Invalid JSON. Your changes are not applied until you fix this: ${error instanceof Error ? error.message : String(error)}` }
  }
}
