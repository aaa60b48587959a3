import { useEffect } from 'react'

let edits = 0

/** Counts what is edited and not saved as long as `dirty` holds, for those who would make it go away. */
export function useUnsaved(dirty: boolean): void {
  useEffect(() => {
    if (!dirty) return
    edits++
    return () => {
      edits--
    }
  }, [dirty])
}

/** Whether leaving the page would lose something: edits that are not saved, or a form that is being filled in. */
export function hasUnsaved(): boolean {
  return edits > 0 || document.querySelector('[role=dialog] form') !== null
}
