import type { Schemas } from '@/api/client'
import type { Tone } from '@/ui/badge'

type Difference = Schemas['ScoreDifference'] & { score_type?: string | null }

export interface Verdict {
  words: string
  tone: Tone
}

/** Interprets a difference of scores. For true and false values, more is better; for other numbers that is unknown. */
export function verdictOf({ change, confidence_low: low, confidence_high: high, score_type }: Difference): Verdict {
  if (change === null) return { words: 'no score', tone: 'neutral' }
  if (change === 0) return { words: 'unchanged', tone: 'neutral' }
  if (low === null || high === null) return { words: 'not enough data', tone: 'neutral' }
  if (low <= 0 && high >= 0) return { words: 'not significant', tone: 'neutral' }
  if (score_type === 'numeric') return { words: change > 0 ? 'higher' : 'lower', tone: 'violet' }
  return change > 0 ? { words: 'better', tone: 'good' } : { words: 'worse', tone: 'bad' }
}

type Cell = Schemas['ComparedCell']
export type Change = Cell['change']

/** Reports whether a row has a cell with a different result, even if its input differs too. */
export function hasChanged(cells: Cell[]): boolean {
  return cells.some(({ change, before, after }) => {
    if (change === 'not_compared') return JSON.stringify([before?.status, before?.value]) !== JSON.stringify([after?.status, after?.value])
    return change !== 'same' && change !== 'pending'
  })
}

/** Reports whether both runs have the row with different input, so that its cells cannot be compared. */
export function hasOtherInput(cells: Cell[]): boolean {
  return cells.some(({ change, before, after }) => change === 'not_compared' && before !== null && after !== null)
}

/** Why two cells are not compared, in a few words. */
export function uncomparedWords(before: Cell['before'], after: Cell['after']): string {
  if (before === null) return 'only in the later run'
  return after === null ? 'only in the earlier run' : 'different input'
}
