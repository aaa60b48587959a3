/** The parameters that models commonly know, with what is usual for each. */
export interface KnownParameter {
  name: string
  kind: 'number' | 'flag' | 'choice' | 'json'
  start: unknown
  min?: number
  max?: number
  step?: number
  choices?: string[]
  /** What it does, in a few words. */
  about: string
}

export const knownParameters: KnownParameter[] = [
  { name: 'temperature', kind: 'number', start: 0.7, min: 0, max: 2, step: 0.1, about: 'How freely it answers' },
  { name: 'max_tokens', kind: 'number', start: 1024, min: 1, step: 1, about: 'The longest answer' },
  { name: 'max_completion_tokens', kind: 'number', start: 1024, min: 1, step: 1, about: 'The longest answer, newer OpenAI models' },
  { name: 'top_p', kind: 'number', start: 1, min: 0, max: 1, step: 0.05, about: 'The share of likely words it picks from' },
  { name: 'top_k', kind: 'number', start: 40, min: 1, step: 1, about: 'How many words it picks from' },
  { name: 'frequency_penalty', kind: 'number', start: 0, min: -2, max: 2, step: 0.1, about: 'Against repeated words' },
  { name: 'presence_penalty', kind: 'number', start: 0, min: -2, max: 2, step: 0.1, about: 'Towards new topics' },
  { name: 'seed', kind: 'number', start: 1, step: 1, about: 'Makes answers repeatable' },
  { name: 'stop', kind: 'json', start: ['\n'], about: 'Texts at which it stops' },
  { name: 'reasoning_effort', kind: 'choice', start: 'medium', choices: ['none', 'minimal', 'low', 'medium', 'high'], about: 'How long it thinks' },
  { name: 'thinking', kind: 'json', start: { type: 'enabled', budget_tokens: 1024 }, about: 'Thinking, Anthropic models' },
  { name: 'parallel_tool_calls', kind: 'flag', start: true, about: 'Several tools at once' },
  { name: 'stream', kind: 'flag', start: true, about: 'Answers piece by piece' },
]

/** How the value of a parameter is edited: as what is known of it, else as what it is. */
export function parameterKind(name: string, value: unknown): KnownParameter['kind'] | 'text' {
  const known = knownParameters.find((one) => one.name === name)
  if (known?.kind === 'number' && typeof value === 'number') return 'number'
  if (known?.kind === 'choice' && typeof value === 'string' && known.choices?.includes(value)) return 'choice'
  if (typeof value === 'number') return 'number'
  if (typeof value === 'boolean') return 'flag'
  return typeof value === 'string' ? 'text' : 'json'
}

/** What was typed as the value of a new parameter: JSON where it is some, else text. */
export function readParameter(typed: string): unknown {
  try {
    return JSON.parse(typed) as unknown
  } catch {
    return typed
  }
}
