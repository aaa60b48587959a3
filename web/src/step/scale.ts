import { isObject } from '@/lib/json'

/** What the verdict of a judge may be. */
export type Scale = { type: 'pass_fail' } | { type: 'range'; min: number; max: number; decimals?: boolean } | { type: 'choices'; choices: Choice[] }

export interface Choice {
  name: string
  /** What the verdict counts, from 0 to 100. */
  score: number
}

/** The scale of a configuration, or undefined if it has an unknown form. Without one, verdicts are true or false. */
export function readScale(value: unknown): Scale | undefined {
  if (value === undefined || value === null) return { type: 'pass_fail' }
  if (!isObject(value)) return undefined
  const { type, min, max, decimals, choices, ...rest } = value
  if (Object.keys(rest).length > 0) return undefined
  if (type === 'pass_fail') return { type }
  if (type === 'range' && typeof min === 'number' && typeof max === 'number') return { type, min, max, ...(decimals === true ? { decimals } : {}) }
  return type === 'choices' && Array.isArray(choices) && choices.every(isChoice) ? { type, choices } : undefined
}

function isChoice(value: unknown): value is Choice {
  return isObject(value) && typeof value.name === 'string' && typeof value.score === 'number'
}

/** A new scale of a type. */
export function newScale(type: Scale['type']): Scale {
  switch (type) {
    case 'range':
      return { type, min: 1, max: 5 }
    case 'choices':
      return { type, choices: [{ name: 'good', score: 100 }, { name: 'bad', score: 0 }] }
    default:
      return { type }
  }
}
