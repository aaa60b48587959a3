import { useMemo, useState } from 'react'
import type { Prompt } from '@/template/data'
import { forPublishing, omit, readModel, readTemplate, type ModelConfig, type PromptTemplate } from '@/template/types'

/** The version being edited, with its changes. */
export interface Draft {
  /** The version that editing started from. */
  base: Prompt
  template: PromptTemplate
  metadata: Record<string, unknown> | null
  model: ModelConfig | null
  dirty: boolean
  setTemplate: (template: PromptTemplate) => void
  setModel: (model: ModelConfig | null) => void
  /** Starts over from a version, discarding all changes. */
  begin: (prompt: Prompt) => void
}

interface State {
  base: Prompt
  template: PromptTemplate
  metadata: Record<string, unknown> | null
}

function stateOf(prompt: Prompt): State {
  return { base: prompt, template: readTemplate(prompt.prompt_template), metadata: prompt.metadata }
}

/**
 * Holds the edits. Without changes it follows the version that is passed; with
 * changes it stays with the one that editing started from.
 */
export function useDraft(prompt: Prompt): Draft {
  const [state, setState] = useState(() => stateOf(prompt))
  const untouched = useMemo(() => fingerprint(stateOf(state.base)), [state.base])
  const dirty = useMemo(() => fingerprint(state), [state]) !== untouched
  if (!dirty && state.base !== prompt && prompt.id === state.base.id) setState(stateOf(prompt))
  return {
    ...state,
    model: readModel(state.metadata),
    dirty,
    setTemplate: (template) => setState((old) => ({ ...old, template })),
    setModel: (model) => setState((old) => ({ ...old, metadata: withModel(old.metadata, model) })),
    begin: (next) => setState(stateOf(next)),
  }
}

function withModel(metadata: Record<string, unknown> | null, model: ModelConfig | null): Record<string, unknown> | null {
  const rest = omit(metadata ?? {}, 'model')
  if (model !== null) return { ...rest, model }
  return Object.keys(rest).length > 0 ? rest : null
}

function fingerprint({ template, metadata }: State): string {
  return JSON.stringify([forPublishing(template), metadata])
}
