import { presentableDiff, type Change } from '@codemirror/merge'
import { describe, expect, it } from 'vitest'
import { lineDiff } from './line-diff'

/** Words that have nothing in common with those of another seed. */
function words(seed: number, count: number): string {
  return Array.from({ length: count }, (_, at) => (((at * seed + seed * seed * 31) * 2654435761) % 4294967296).toString(36).slice(0, 4)).join(' ')
}

const kept = (at: number) => `Rule ${at}: stays as it is in every version of this prompt.`

/** Paragraphs that are written anew for each seed, between lines that stay. */
function prompt(seed: number, paragraphs: number): string {
  return Array.from({ length: paragraphs }, (_, at) => `${kept(at)}\n${words(seed + at, 60)}\n`).join('')
}

const show = (before: string, after: string) => presentableDiff(before, after, { override: lineDiff })

/** How many of the lines that stay are marked. */
function wrong(changes: readonly Change[], after: string, paragraphs: number): number {
  return Array.from({ length: paragraphs }, (_, at) => after.indexOf(kept(at))).filter((from) => changes.some(({ fromB, toB }) => fromB < from + 30 && toB > from + 10)).length
}

/** The later text, made of the earlier one and what differs. */
function rebuilt(changes: readonly Change[], before: string, after: string): string {
  let made = ''
  let at = 0
  for (const { fromA, toA, fromB, toB } of changes) {
    made += before.slice(at, fromA) + after.slice(fromB, toB)
    at = toA
  }
  return made + before.slice(at)
}

describe('what differs between two texts', () => {
  it('is only what was changed, however much that is', () => {
    const [before, after] = [prompt(3, 10), prompt(103, 10)]
    expect(wrong(show(before, after), after, 10)).toBe(0)
    expect(wrong(presentableDiff(before, after, { scanLimit: 500 }), after, 10)).toBeGreaterThan(0)
  })
  it('is found within lines', () => {
    expect(show('Be kind.\nAnswer in French.\n', 'Be kind.\nAnswer in German.\n').map(({ fromB, toB }) => 'Be kind.\nAnswer in German.\n'.slice(fromB, toB))).toEqual(['German'])
  })
  it.each([
    ['nothing and something', '', 'a\nb'],
    ['something and nothing', 'a\nb', ''],
    ['the same', 'a\nb\n', 'a\nb\n'],
    ['no break at the end', 'a\nb', 'a\nb\nc'],
    ['empty lines', '\n\na\n\n', '\na\n\n\nb'],
    ['more lines than letters', Array.from({ length: 60_000 }, (_, at) => `${at}\n`).join(''), Array.from({ length: 60_000 }, (_, at) => `${at === 59_000 ? 'other' : at}\n`).join('')],
    ['another line first', 'a\nb\nc\n', 'x\na\nb\nc\n'],
  ])('leads from the one to the other: %s', (_name, before, after) => {
    expect(rebuilt(lineDiff(before, after), before, after)).toBe(after)
  })
  it('stays quick with long texts that have little in common', () => {
    const [before, after] = [words(3, 5000), words(7, 5000)]
    expect(before.length).toBeGreaterThan(20_000)
    const start = performance.now()
    show(before, after)
    expect(performance.now() - start).toBeLessThan(5000)
  })
})
