/** Common model parameters with their usual values. */
export interface KnownParameter {
  name: string
  kind: 'number' | 'flag' | 'choice' | 'json'
  start: unknown
  min?: number
  max?: number
  step?: number
  choices?: string[]
  /** A short description. */
  about: string
}

export const knownParameters: KnownParameter[] = [
  { name: 'temperature', kind: 'number', start: 0.7, min: 0, max: 2, step: 0.1, about: 'Randomness of the output' },
  { name: 'max_tokens', kind: 'number', start: 1024, min: 1, step: 1, about: 'Maximum output length' },
  { name: 'max_completion_tokens', kind: 'number', start: 1024, min: 1, step: 1, about: 'Maximum output length (newer OpenAI models)' },
  { name: 'top_p', kind: 'number', start: 1, min: 0, max: 1, step: 0.05, about: 'Nucleus sampling threshold' },
  { name: 'top_k', kind: 'number', start: 40, min: 1, step: 1, about: 'Number of tokens to sample from' },
  { name: 'frequency_penalty', kind: 'number', start: 0, min: -2, max: 2, step: 0.1, about: 'Penalty for repeated tokens' },
  { name: 'presence_penalty', kind: 'number', start: 0, min: -2, max: 2, step: 0.1, about: 'Encourages new topics' },
  { name: 'seed', kind: 'number', start: 1, step: 1, about: 'Makes output reproducible' },
  { name: 'stop', kind: 'json', start: ['\n'], about: 'Stop sequences' },
  { name: 'reasoning_effort', kind: 'choice', start: 'medium', choices: ['none', 'minimal', 'low', 'medium', 'high'], about: 'Amount of reasoning' },
  { name: 'thinking', kind: 'json', start: { type: 'enabled', budget_tokens: 1024 }, about: 'Extended thinking (Anthropic models)' },
  { name: 'parallel_tool_calls', kind: 'flag', start: true, about: 'Call several tools at once' },
  { name: 'stream', kind: 'flag', start: true, about: 'Stream the output' },
]

/** How to edit the value of a parameter: by its definition, else by the type of its value. */
export function parameterKind(name: string, value: unknown): KnownParameter['kind'] | 'text' {
  const known = knownParameters.find((one) => one.name === name)
  if (known?.kind === 'number' && typeof value === 'number') return 'number'
  if (known?.kind === 'choice' && typeof value === 'string' && known.choices?.includes(value)) return 'choice'
  if (typeof value === 'number') return 'number'
  if (typeof value === 'boolean') return 'flag'
  return typeof value === 'string' ? 'text' : 'json'
}

/** Parses the value of a new parameter: as JSON if valid, else as text. */
export function readParameter(typed: string): unknown {
  try {
    return JSON.parse(typed) as unknown
  } catch {
    return typed
  }
}
