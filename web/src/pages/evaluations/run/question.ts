/** What a column asks people, as its configuration says. */
export interface Question {
  prompt: string
  kind: 'number' | 'text' | 'choice' | 'thumbs'
  min?: number
  max?: number
  /** The limits of a number in words. */
  range?: string
  choices: string[]
  people: string[]
  comment: boolean
}

const kinds = ['number', 'text', 'choice', 'thumbs'] as const

/** The question in the configuration of a column. The server has checked it. */
export function questionOf(configuration: Record<string, unknown>): Question {
  const { prompt, input_type, data_type, ask_comment } = configuration
  const min = limit(configuration.min)
  const max = limit(configuration.max)
  const word = typeof input_type === 'string' ? input_type.toLowerCase() : ''
  return {
    prompt: typeof prompt === 'string' ? prompt : '',
    kind: kinds.find((kind) => kind === word) ?? (data_type === 'number' ? 'number' : 'text'),
    min,
    max,
    range: rangeOf(min, max),
    choices: texts(configuration.choices),
    people: texts(configuration.people),
    comment: ask_comment === true,
  }
}

/** Limits are numbers, also as texts. */
function limit(value: unknown): number | undefined {
  if (typeof value === 'number') return value
  return typeof value === 'string' && value.trim() !== '' ? Number(value) : undefined
}

function rangeOf(min: number | undefined, max: number | undefined): string | undefined {
  if (min !== undefined && max !== undefined) return `From ${min} to ${max}`
  if (min !== undefined) return `At least ${min}`
  return max === undefined ? undefined : `At most ${max}`
}

function texts(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((one): one is string => typeof one === 'string') : []
}
