import { useEffect, useRef } from 'react'

/**
 * Gives the focus back when a form of a section closes, which takes along what
 * had it: to the button that opens the form, marked with `data-edits`, or to
 * the one that adds, marked with ''. Pass the result on to the section.
 */
export function useHandBack(editing: string | null) {
  const section = useRef<HTMLElement>(null)
  useEffect(() => {
    const box = section.current
    if (editing === null || box === null) return
    return () => {
      // Another form may have been opened instead.
      if (document.activeElement !== document.body) return
      const opener = box.querySelector<HTMLElement>(`[data-edits="${CSS.escape(editing)}"]`) ?? box.querySelector<HTMLElement>('[data-edits=""]')
      opener?.focus()
    }
  }, [editing])
  return section
}
