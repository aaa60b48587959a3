import { createContext } from 'react'
import { findError, parse } from '@/query/parse'
import type { QueryNode } from '@/query/syntax'

/** What to highlight in texts, or null. */
export const Marks = createContext<RegExp | null>(null)

/** A regular expression for the terms of a query: words by prefix, quoted text anywhere. */
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

/** Splits a text at its highlights: every second part is one. */
export function cutAtMarks(text: string, marks: RegExp | null): string[] {
  return marks === null ? [text] : text.split(marks)
}
