import { presentableDiff, type Change } from '@codemirror/merge'
import { describe, expect, it } from 'vitest'
import { lineDiff } from './line-diff'

/** Words that differ completely between seeds. */
function words(seed: number, count: number): string {
  return Array.from({ length: count }, (_, at) => (((at * seed + seed * seed * 31) * 2654435761) % 4294967296).toString(36).slice(0, 4)).join(' ')
}

const kept = (at: number) => `Rule ${at}: stays as it is in every version of this prompt.`

/** Paragraphs that differ between seeds, with unchanged lines between them. */
function prompt(seed: number, paragraphs: number): string {
  return Array.from({ length: paragraphs }, (_, at) => `${kept(at)}\n${words(seed + at, 60)}\n`).join('')
}

const show = (before: string, after: string) => presentableDiff(before, after, { override: lineDiff })

/** The number of unchanged lines that are marked as changed. */
function wrong(changes: readonly Change[], after: string, paragraphs: number): number {
  return Array.from({ length: paragraphs }, (_, at) => after.indexOf(kept(at))).filter((from) => changes.some(({ fromB, toB }) => fromB < from + 30 && toB > from + 10)).length
}

/** Rebuilds the later text from the earlier one and the differences. */
function rebuilt(changes: readonly Change[], before: string, after: string): string {
  let made = ''
  let at = 0
  for (const { fromA, toA, fromB, toB } of changes) {
    made += before.slice(at, fromA) + after.slice(fromB, toB)
    at = toA
  }
  return made + before.slice(at)
}

describe('the differences between two texts', () => {
  it('contain only what changed, however much it is', () => {
    const [before, after] = [prompt(3, 10), prompt(103, 10)]
    expect(wrong(show(before, after), after, 10)).toBe(0)
    expect(wrong(presentableDiff(before, after, { scanLimit: 500 }), after, 10)).toBeGreaterThan(0)
  })
  it('are found within lines', () => {
    expect(show('Be kind.\nAnswer in French.\n', 'Be kind.\nAnswer in German.\n').map(({ fromB, toB }) => 'Be kind.\nAnswer in German.\n'.slice(fromB, toB))).toEqual(['German'])
  })
  it.each([
    ['empty to text', '', 'a\nb'],
    ['text to empty', 'a\nb', ''],
    ['equal texts', 'a\nb\n', 'a\nb\n'],
    ['no trailing newline', 'a\nb', 'a\nb\nc'],
    ['empty lines', '\n\na\n\n', '\na\n\n\nb'],
    ['more lines than characters', Array.from({ length: 60_000 }, (_, at) => `${at}\n`).join(''), Array.from({ length: 60_000 }, (_, at) => `${at === 59_000 ? 'other' : at}\n`).join('')],
    ['new first line', 'a\nb\nc\n', 'x\na\nb\nc\n'],
  ])('rebuild the later text: %s', (_name, before, after) => {
    expect(rebuilt(lineDiff(before, after), before, after)).toBe(after)
  })
  it('are found quickly in long texts with little in common', () => {
    const [before, after] = [words(3, 5000), words(7, 5000)]
    expect(before.length).toBeGreaterThan(20_000)
    const start = performance.now()
    show(before, after)
    expect(performance.now() - start).toBeLessThan(5000)
  })
})
