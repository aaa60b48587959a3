import type { Version } from './data'

/** A short description of a version: its labels, else its message. */
export function versionNote(version: Version): string {
  const labels = version.release_labels.map(({ name }) => name).join(', ')
  return (labels || version.commit_message) ?? ''
}

export function modelWords(version: Version): string {
  const { provider, name } = version.model ?? {}
  return [provider, name].filter(Boolean).join(' / ')
}
