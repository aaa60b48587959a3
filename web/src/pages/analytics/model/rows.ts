import type { Answer, Row } from './answers'
import type { ChartRequest } from './definition'
import { groupsOf, type Part } from './pick'
import { isRestRow } from './rest'

/** Readers for the rows of a chart, whose members depend on what it shows. */

export function valueAt(row: Row, key: string): number | null {
  const value = row[key]
  return typeof value === 'number' ? value : null
}

export function textAt(row: Row, key: string): string {
  const value = row[key]
  return typeof value === 'string' ? value : ''
}

export function pathOf(row: Row): string[] {
  return Array.isArray(row.path) ? row.path.map(String) : []
}

/** The key under which rows hold the first number. */
export function firstKey(answer: Answer): string {
  return answer.series[0]?.key ?? 'value'
}

/** What the row of a chart with one group stands for. */
export function partOf(chart: ChartRequest, row: Row): Part[] {
  const [group] = groupsOf(chart)
  if (group === undefined || isRestRow(row)) return []
  const label = textAt(row, 'label')
  return [{ group, value: textAt(row, 'groupKey') || label, label }]
}

/** What a cell of a heat map stands for. */
export function cellParts(chart: ChartRequest, row: Row): Part[] {
  const second = groupsOf(chart)[1]
  const first = partOf(chart, row)
  if (second === undefined) return first
  const label = textAt(row, 'secondaryLabel')
  return [...first, { group: second, value: textAt(row, 'secondaryGroupKey') || label, label }]
}

/** What the beginning of a path in a hierarchy stands for. */
export function pathParts(chart: ChartRequest, path: string[]): Part[] {
  return groupsOf(chart).slice(0, path.length).map((group, level) => {
    const label = path[level] ?? ''
    // Paths name prompts by their names; only those without one by their ids.
    const isName = 'field' in group && group.field === 'prompt_id' && !/^\d+$/.test(label)
    return { group, value: isName ? '' : label, label }
  })
}
