import { useMemo, useState } from 'react'
import { same } from '@/lib/json'
import { checkDefinition } from '../model/check'
import { definitionOf, type Definition, type Version } from '../model/definition'
import { diffDefinitions } from '../model/diff'
import type { Problem } from '../model/problems'

export type Edit = (definition: Definition) => Definition

interface Unsaved {
  /** The version that the edits started from. */
  base: Version
  now: Definition
  past: Definition[]
  /** The subject of the last edit: edits of the same subject are undone together. */
  topic: string | null
}

export interface Draft {
  definition: Definition
  base: Version
  dirty: boolean
  change: (edit: Edit, topic?: string) => void
  undo: () => void
  discard: () => void
  /** The problems: the server's last ones, or else those found here. */
  problems: Problem[]
  setProblems: (problems: Problem[]) => void
  /** The nodes with unsaved changes. */
  marks: Map<string, 'added' | 'changed'>
}

const mostUndone = 200

/** Collects the edits of a version until they are saved as a new one. */
export function useDraft(version: Version): Draft {
  const [kept, setUnsaved] = useState<Unsaved | null>(null)
  const [refused, setRefused] = useState<Problem[]>([])
  // Without remaining edits, follow the shown version.
  const unsaved = kept !== null && isCurrent(kept, version) ? kept : null
  const base = unsaved?.base ?? version
  const saved = useMemo(() => definitionOf(base), [base])
  const definition = unsaved?.now ?? saved
  const dirty = unsaved !== null && !same(saved, definition)
  const checked = useMemo(() => (dirty ? checkDefinition(definition) : []), [dirty, definition])
  const marks = useMemo(() => {
    const changes = dirty ? diffDefinitions(saved, definition).nodes : []
    return new Map(changes.flatMap(({ name, kind }) => (kind === 'added' || kind === 'changed' ? [[name, kind] as const] : [])))
  }, [dirty, saved, definition])
  const change = (edit: Edit, topic: string | null = null) => {
    setRefused([])
    setUnsaved((old) => {
      const from = old !== null && isCurrent(old, version) ? old : { base: version, now: definitionOf(version), past: [], topic: null }
      const now = edit(from.now)
      const past = topic !== null && topic === from.topic ? from.past : [...from.past.slice(-mostUndone), from.now]
      return { ...from, now, past, topic }
    })
  }
  const undo = () => {
    setRefused([])
    setUnsaved((old) => {
      const last = old?.past.at(-1)
      return old === null || last === undefined ? null : { ...old, now: last, past: old.past.slice(0, -1), topic: null }
    })
  }
  const discard = () => {
    setRefused([])
    setUnsaved(null)
  }
  return { definition, base, dirty, change, undo, discard, problems: refused.length > 0 ? refused : checked, setProblems: setRefused, marks }
}

function isCurrent({ base, now }: Unsaved, version: Version): boolean {
  return base.workflow_version_id === version.workflow_version_id || !same(definitionOf(base), now)
}
