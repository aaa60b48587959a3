import { useEffect, useRef } from 'react'

/**
 * Brings the focus to the panel when a request is opened, so that Tab comes to
 * its buttons while the arrow keys still walk the rows, and back to the row of
 * the request when it is closed.
 */
export function usePanelFocus(id: number | undefined) {
  const ref = useRef<HTMLDivElement>(null)
  const last = useRef(id)
  const focus = () => {
    const active = document.activeElement
    // Whoever types goes on typing; a button that shows the next request stays at hand.
    if (ref.current?.contains(active) !== true && active?.closest('input,textarea,select') == null) ref.current?.focus({ preventScroll: true })
  }
  useEffect(() => {
    if (id === undefined) return
    last.current = id
    focus()
  }, [id])
  return { ref, onOpened: focus, onClosed: () => focusRow(last.current) }
}

/** The row of the request, or the list where that is out of sight, unless something else has the focus already. */
function focusRow(id: number | undefined): void {
  if (document.activeElement !== null && document.activeElement !== document.body) return
  const row = document.querySelector<HTMLElement>(`tr[data-request="${id}"]`) ?? document.querySelector<HTMLElement>('[role=region]:has(> table)')
  row?.focus()
}
