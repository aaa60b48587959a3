import { useState } from 'react'
import { boundedWidth } from '@/ui/column-resizer'

/** Widths in pixels by the name of the column. */
export type Widths = ReadonlyMap<string, number>

/** The number of evaluations whose widths are kept. */
const kept = 50

interface Remembered {
  evaluation: number
  widths: [name: string, width: number][]
}

export function keyOf(workspace: number): string {
  return `promptuary.evaluations.widths.${workspace}`
}

/** The widths that were chosen in this browser for the columns of an evaluation. */
export function readWidths(workspace: number, evaluation: number): Widths {
  return new Map(readAll(workspace).find((one) => one.evaluation === evaluation)?.widths)
}

/** Stores the widths for an evaluation. Those of the evaluations that were changed longest ago are dropped. */
export function storeWidths(workspace: number, evaluation: number, widths: Widths): void {
  const others = readAll(workspace).filter((one) => one.evaluation !== evaluation)
  const all = widths.size === 0 ? others : [{ evaluation, widths: [...widths] }, ...others].slice(0, kept)
  try {
    if (all.length === 0) localStorage.removeItem(keyOf(workspace))
    else localStorage.setItem(keyOf(workspace), JSON.stringify(all))
  } catch {
    // Without storage, widths are not kept.
  }
}

function readAll(workspace: number): Remembered[] {
  try {
    const value: unknown = JSON.parse(localStorage.getItem(keyOf(workspace)) ?? '[]')
    return Array.isArray(value) ? value.filter(isRemembered).map(({ evaluation, widths }) => ({ evaluation, widths: widths.map(([name, width]) => [name, boundedWidth(width)]) })) : []
  } catch {
    return []
  }
}

function isRemembered(value: unknown): value is Remembered {
  const one = value as Partial<Remembered> | null
  return typeof one?.evaluation === 'number' && Array.isArray(one.widths) && one.widths.every((pair) => Array.isArray(pair) && typeof pair[0] === 'string' && Number.isFinite(pair[1]))
}

/** The widths chosen for an evaluation, a function to change one (null fits the content), and one to forget all. */
export function useRememberedWidths(workspace: number, evaluation: number): { widths: Widths; setWidth: (name: string, width: number | null) => void; reset: () => void } {
  const [widths, setWidths] = useState(() => readWidths(workspace, evaluation))
  const change = (next: Widths) => {
    storeWidths(workspace, evaluation, next)
    setWidths(next)
  }
  return {
    widths,
    setWidth: (name, width) => {
      const next = new Map(widths)
      if (width === null) next.delete(name)
      else next.set(name, width)
      change(next)
    },
    reset: () => change(new Map()),
  }
}
