import type { Answer, Row } from './answers'
import type { ChartRequest } from './definition'
import { groupsOf, type Part } from './pick'
import { isRestRow } from './rest'

/** Readers for the rows of a chart, whose members depend on the chart. */

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

/** The member of rows with the first number. */
export function firstKey(answer: Answer): string {
  return answer.series[0]?.key ?? 'value'
}

/** The part for a row of a chart with one group. */
export function partOf(chart: ChartRequest, row: Row): Part[] {
  const [group] = groupsOf(chart)
  if (group === undefined || isRestRow(row)) return []
  const label = textAt(row, 'label')
  return [{ group, value: textAt(row, 'groupKey') || label, label }]
}

/** The parts for a cell of a heat map. */
export function cellParts(chart: ChartRequest, row: Row): Part[] {
  const second = groupsOf(chart)[1]
  const first = partOf(chart, row)
  if (second === undefined) return first
  const label = textAt(row, 'secondaryLabel')
  return [...first, { group: second, value: textAt(row, 'secondaryGroupKey') || label, label }]
}

/** The parts for a path prefix in a hierarchy. */
export function pathParts(chart: ChartRequest, path: string[]): Part[] {
  return groupsOf(chart).slice(0, path.length).map((group, level) => {
    const label = path[level] ?? ''
    // Paths contain prompt names, or ids for those without a name.
    const isName = 'field' in group && group.field === 'prompt_id' && !/^\d+$/.test(label)
    return { group, value: isName ? '' : label, label }
  })
}
