import { useEffect } from 'react'

let edits = 0

/** Registers unsaved edits while `dirty` is true. */
export function useUnsaved(dirty: boolean): void {
  useEffect(() => {
    if (!dirty) return
    edits++
    return () => {
      edits--
    }
  }, [dirty])
}

/** Reports whether leaving the page would lose unsaved edits or a form in progress. */
export function hasUnsaved(): boolean {
  return edits > 0 || document.querySelector('[role=dialog] form') !== null
}
