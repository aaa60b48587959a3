import { useState } from 'react'
import type { Tool } from '../data'
import { partsOf, readObject, sameParts, type Json, type Parts } from '../model/parts'

/** A version being edited. */
export interface Draft {
  /** The version that the edits started from. */
  base: Tool
  parts: Parts
  dirty: boolean
  /** What is wrong with the typed text, or null. */
  problems: { definition: string | null; schema: string | null }
  /** The definition, or that of the base while the typed text is not valid JSON. */
  definition: Json
  schema: Json | undefined
  change: (changes: Partial<Parts>) => void
  discard: () => void
}

/** Holds the edits of the shown version. Another version starts a new draft. */
export function useDraft(shown: Tool): Draft {
  const [edits, setEdits] = useState<{ base: Tool; parts: Parts } | null>(null)
  const base = edits?.base ?? shown
  const saved = partsOf(base)
  const parts = edits?.parts ?? saved
  const definition = readObject(parts.definition)
  const schema = parts.schema.trim() === '' ? null : readObject(parts.schema)
  return {
    base,
    parts,
    dirty: edits !== null && !sameParts(parts, saved),
    problems: { definition: definition.problem, schema: schema?.problem ?? null },
    definition: definition.value ?? base.version.tool_definition,
    schema: schema?.value ?? undefined,
    change: (changes) => setEdits((old) => ({ base: old?.base ?? shown, parts: { ...(old?.parts ?? partsOf(shown)), ...changes } })),
    discard: () => setEdits(null),
  }
}
