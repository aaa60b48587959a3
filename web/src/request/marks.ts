import { createContext } from 'react'
import { findError, parse } from '@/query/parse'
import type { QueryNode } from '@/query/syntax'

/** What to mark in texts, null for nothing. */
export const Marks = createContext<RegExp | null>(null)

/** An expression for what a query looks for in texts: words from their beginning, quoted text anywhere. */
export function marksOf(q: string | undefined): RegExp | null {
  if (q === undefined || findError(q) !== null) return null
  const patterns = parse(q).nodes.flatMap(patternsOf)
  return patterns.length === 0 ? null : new RegExp(`(${patterns.join('|')})`, 'giu')
}

function patternsOf(node: QueryNode): string[] {
  if (node.kind === 'group') return node.nodes.flatMap(patternsOf)
  if (node.kind === 'condition') return node.field.type === 'text' && ['contains', 'starts_with', 'ends_with'].includes(node.operator) ? node.values.filter((value) => value !== '').map(escape) : []
  if (node.negated || node.text.trim() === '') return []
  return [node.exact ? escape(node.text) : `(?<![\\p{L}\\p{N}])${escape(node.text)}`]
}

function escape(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
}

/** The text cut at its marks: every second part is one. */
export function cutAtMarks(text: string, marks: RegExp | null): string[] {
  return marks === null ? [text] : text.split(marks)
}
