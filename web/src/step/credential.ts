import type { FieldSpec } from './step-type'

/** Stands for a stored credential. Sending it keeps the stored value. */
export const hidden = '…'

/** Whether a text refers to an environment variable, possibly after the name of an authentication scheme. */
export function isReference(text: string): boolean {
  return /^([A-Za-z][A-Za-z-]{0,31} +)?\$\{[A-Za-z_][A-Za-z0-9_]*\}$/.test(text)
}

/** Whether a member of a secret field is a credential, which an editor must not show. */
export function isSecret(spec: Pick<FieldSpec, 'secret' | 'public'>, member?: string): boolean {
  return spec.secret === true && !(spec.public ?? []).some((name) => name.toLowerCase() === member?.toLowerCase())
}

/** How an input shows a credential: a stored one as an empty input, which stays unchanged until somebody types. */
export function shownCredential(value: string): { type: 'text' | 'password'; value: string; placeholder?: string } {
  if (value === hidden) return { type: 'password', value: '', placeholder: `${hidden} unchanged` }
  return { type: isReference(value) ? 'text' : 'password', value }
}
