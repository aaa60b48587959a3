import type { Schemas } from '@/api/client'
import type { Tone } from '@/ui/badge'

type Difference = Schemas['ScoreDifference'] & { score_type?: string | null }

export interface Verdict {
  words: string
  tone: Tone
}

/** What a difference of scores says. More is better where cells are true or false; of other numbers that is not known. */
export function verdictOf({ change, confidence_low: low, confidence_high: high, score_type }: Difference): Verdict {
  if (change === null) return { words: 'no score', tone: 'neutral' }
  if (change === 0) return { words: 'the same', tone: 'neutral' }
  if (low === null || high === null) return { words: 'too little to tell', tone: 'neutral' }
  if (low <= 0 && high >= 0) return { words: 'may be chance', tone: 'neutral' }
  if (score_type === 'numeric') return { words: change > 0 ? 'higher' : 'lower', tone: 'violet' }
  return change > 0 ? { words: 'better', tone: 'good' } : { words: 'worse', tone: 'bad' }
}

type Cell = Schemas['ComparedCell']
export type Change = Cell['change']

/** Whether a row has a cell that came to something else. Where the input differs too, that is no change for better or worse, but worth a look. */
export function hasChanged(cells: Cell[]): boolean {
  return cells.some(({ change, before, after }) => {
    if (change === 'not_compared') return JSON.stringify([before?.status, before?.value]) !== JSON.stringify([after?.status, after?.value])
    return change !== 'same' && change !== 'pending'
  })
}

/** Whether both runs have the row, but asked something else in each: its cells say nothing about better or worse. */
export function hasOtherInput(cells: Cell[]): boolean {
  return cells.some(({ change, before, after }) => change === 'not_compared' && before !== null && after !== null)
}

/** Why two cells are not compared, in a few words. */
export function uncomparedWords(before: Cell['before'], after: Cell['after']): string {
  if (before === null) return 'only in the later run'
  return after === null ? 'only in the earlier run' : 'other input'
}
