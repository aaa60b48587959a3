import { folderOf } from './tree'

/** Resolves a link in a file to a path from the root. */
export function resolveLink(from: string, target: string): string {
  const path = (target.split('#')[0] ?? '').split('?')[0] ?? ''
  const steps = path.startsWith('/') ? [] : folderOf(from).split('/')
  for (const step of path.split('/')) {
    if (step === '..') steps.pop()
    else if (step !== '.') steps.push(step)
  }
  return steps.filter((step) => step !== '').map(decode).join('/')
}

function decode(step: string): string {
  try {
    return decodeURIComponent(step)
  } catch {
    return step
  }
}
