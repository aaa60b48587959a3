import type { Schemas } from '@/api/client'

export type Weight = Schemas['Weight']
export type Segment = Schemas['Segment']

/** A segment while it is edited, with its conditions as text. */
export interface SegmentForm {
  name: string
  match: { key: string; values: string }[]
  weights: Weight[]
}

export interface SplitForm {
  weights: Weight[]
  segments: SegmentForm[]
}

export function sumOf(weights: Weight[]): number {
  return Math.round(weights.reduce((sum, { weight }) => sum + weight, 0) * 1000) / 1000
}

/** Returns why the weights cannot be used, or null. */
export function weightsProblem(weights: Weight[]): string | null {
  if (weights.length === 0) return 'Choose a version.'
  if (new Set(weights.map(({ version_number }) => version_number)).size < weights.length) return 'Each version can be used only once.'
  if (weights.some(({ weight }) => !Number.isFinite(weight) || weight < 0 || weight > 100)) return 'Each share must be between 0 and 100.'
  const sum = sumOf(weights)
  if (sum === 100) return null
  return sum < 100 ? `The shares must add up to 100% (${Math.round((100 - sum) * 1000) / 1000}% missing).` : `The shares must add up to 100% (${Math.round((sum - 100) * 1000) / 1000}% too many).`
}

export function splitProblem({ weights, segments }: SplitForm): string | null {
  const own = weightsProblem(weights)
  if (own !== null) return own
  for (const [index, segment] of segments.entries()) {
    const name = segment.name || `Segment ${index + 1}`
    if (Object.keys(matchOf(segment)).length === 0) return `${name}: enter a key and its values.`
    const problem = weightsProblem(segment.weights)
    if (problem !== null) return `${name}: ${problem}`
  }
  return null
}

/** Gives every version the same share. The first one gets the remainder. */
export function evenly(weights: Weight[]): Weight[] {
  const share = Math.floor(100 / weights.length)
  return weights.map((one, index) => ({ ...one, weight: index === 0 ? 100 - share * (weights.length - 1) : share }))
}

function matchOf({ match }: SegmentForm): Record<string, string[]> {
  const read = match.map(({ key, values }) => [key.trim(), values.split(',').map((value) => value.trim()).filter((value) => value !== '')] as const)
  return Object.fromEntries(read.filter(([key, values]) => key !== '' && values.length > 0))
}

export function readSplit({ weights, segments }: SplitForm): { weights: Weight[]; segments: Segment[] } {
  return { weights, segments: segments.map((segment) => ({ name: segment.name, match: matchOf(segment), weights: segment.weights })) }
}

export function splitForm({ weights, segments }: { weights: Weight[]; segments?: Segment[] | null }): SplitForm {
  return {
    weights,
    segments: (segments ?? []).map((segment) => ({
      name: segment.name ?? '',
      match: Object.entries(segment.match).map(([key, values]) => ({ key, values: (values ?? []).join(', ') })),
      weights: segment.weights,
    })),
  }
}
