import { Change, diff } from '@codemirror/merge'

/** The time limit of a comparison in milliseconds. Beyond it the result is coarser. */
const patience = 300

// Characters that stand for lines, without surrogates.
const firstLetter = 0x100
const mostLines = 0xd800 - firstLetter

/**
 * Finds the differences between two texts: first the lines that differ, then the
 * differences within them. Comparing all characters at once gives up on texts
 * with many changes, and then marks unchanged lines too.
 */
export function lineDiff(before: string, after: string): Change[] {
  const end = Date.now() + patience
  const linesBefore = splitLines(before)
  const linesAfter = splitLines(after)
  // There are not enough characters for more lines.
  if (linesBefore.length + linesAfter.length > mostLines) return [...compare(before, after, end)]
  const letters = new Letters()
  const startsBefore = startsOf(linesBefore)
  const startsAfter = startsOf(linesAfter)
  return compare(letters.spell(linesBefore), letters.spell(linesAfter), end).flatMap(({ fromA, toA, fromB, toB }) => {
    const [a, b] = [startsBefore[fromA] ?? 0, startsAfter[fromB] ?? 0]
    return compare(before.slice(a, startsBefore[toA]), after.slice(b, startsAfter[toB]), end).map((part) => new Change(a + part.fromA, a + part.toA, b + part.fromB, b + part.toB))
  })
}

function compare(a: string, b: string, end: number): readonly Change[] {
  return diff(a, b, { scanLimit: 5000, timeout: Math.max(1, end - Date.now()) })
}

/** The lines of a text, each with its line break. */
function splitLines(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? []
}

/** The start offset of each line, followed by the end of the text. */
function startsOf(lines: string[]): number[] {
  const starts = [0]
  for (const line of lines) starts.push((starts.at(-1) ?? 0) + line.length)
  return starts
}

/** Encodes each distinct line as one character, so that lines can be compared like a text. */
class Letters {
  private readonly known = new Map<string, string>()

  spell(lines: string[]): string {
    return lines.map((line) => this.letterOf(line)).join('')
  }

  private letterOf(line: string): string {
    const known = this.known.get(line)
    if (known !== undefined) return known
    const letter = String.fromCharCode(firstLetter + this.known.size)
    this.known.set(line, letter)
    return letter
  }
}
