import type { Tone } from '@/ui/badge'

/** Production labels stand out; all others are neutral. */
export function labelTone(name: string): Tone {
  if (/^(prod|production|live|release|stable)$/i.test(name)) return 'good'
  if (/^(stag|pre|beta|canary|candidate)/i.test(name)) return 'warn'
  return /^(dev|test|draft|experiment)/i.test(name) ? 'violet' : 'info'
}
