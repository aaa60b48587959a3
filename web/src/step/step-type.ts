export type Configuration = Record<string, unknown>

/** A member of a configuration, as the API document describes it. */
export interface FieldSpec {
  name: string
  /** Further names that the server accepts. */
  aliases?: string[]
  kind: 'source' | 'sources' | 'text' | 'texts' | 'url' | 'long' | 'pattern' | 'number' | 'mapping' | 'headers' | 'flag' | 'choice' | 'json'
  label: string
  hint?: string
  optional?: boolean
  /** Whether the member, or each member of it, is a credential. */
  secret?: boolean
  /** The members of a secret member that are not credentials, in any case. */
  public?: string[]
  /** Only choices with a label are offered. */
  choices?: { value: string; label?: string }[]
  default?: unknown
}

/** A check to start from, with a worked example. */
export interface Template {
  name: string
  /** What is checked, in one sentence. */
  doc: string
  type: string
  /** "$source" stands for the checked value, and "$name" for another value that is often called so. */
  configuration: Configuration
  example: { text: string; values?: { name: string; value: string }[]; verdict: unknown; reason?: string }
}

/** Where steps run. */
export type Place = 'workflows' | 'evaluations'

/** A type of node or column, as the API document describes it. */
export interface StepType {
  name: string
  label: string
  group: string
  /** What it does, in one sentence. */
  doc: string
  icon: string
  /** A text in which {a}, {a|b} and {a/b} stand for members. */
  summary: string
  /** An editor made for the type, or 'json' for none. */
  form?: string
  fields: FieldSpec[]
  /** Whether it computes a value immediately, takes a while, or has side effects. */
  work: 'inline' | 'slow' | 'effect'
  /** Where it cannot run. */
  not_in?: Place[]
  /** The configuration of a new one; "$source" stands for the value it follows. */
  initial: Configuration
}
