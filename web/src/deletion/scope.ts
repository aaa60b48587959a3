import type { Schemas } from '@/api/client'

type Selection = Schemas['DeletionRequest']

/** What is deleted of requests: all of them, their texts, a metadata key or a score. */
export type ScopeKind = 'requests' | 'texts' | 'key' | 'score'

export interface Scope {
  kind: ScopeKind
  /** The metadata key or the name of the score. */
  name: string
  /** Whether the traces go with a metadata key or a score. */
  traces: boolean
}

/** Whether requests stay, without a metadata key or a score. */
export function isNamed({ kind }: Pick<Scope, 'kind'>): boolean {
  return kind === 'key' || kind === 'score'
}

/** The selection of the requests to count. Without a name that is needed there is none. */
export function counted(selection: Selection, scope: Scope): Selection | undefined {
  const name = scope.name.trim()
  if (!isNamed(scope)) return selection
  if (name === '') return undefined
  return { ...selection, ...(scope.kind === 'key' ? { metadata_key: name } : { score_name: name }) }
}

/** The deletion of what was counted. */
export function deletionOf(selection: Selection, scope: Scope): Selection {
  if (isNamed(scope)) return { ...selection, delete_traces: scope.traces }
  return { ...selection, texts_only: scope.kind === 'texts' }
}
