import { useEffect, useRef } from 'react'

/**
 * Restores the focus when a form in a section closes: to the button that opened
 * it, marked with `data-edits`, or to the add button, marked with ''. Pass the
 * result to the section.
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
