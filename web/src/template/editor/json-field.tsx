import { useState } from 'react'
import { CodeEditor } from '@/ui/code'

/**
 * A value as JSON that can be edited. It is passed on while it can be read;
 * until then the line below says what is wrong.
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
    // The value came from elsewhere: what was typed before no longer counts.
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
    return expects === 'object' && !isObject ? { value, problem: 'This must be an object in braces. It is not used until it is.' } : { value, problem: null }
  } catch (error) {
    return { value: undefined, problem: `This is not JSON yet, so it is not used: ${error instanceof Error ? error.message : String(error)}` }
  }
}
