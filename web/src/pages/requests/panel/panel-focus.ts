import { useEffect, useRef } from 'react'

/**
 * Moves the focus to the panel when a request is opened, so that Tab reaches its
 * buttons while the arrow keys still move between rows, and back to the row when
 * the panel is closed.
 */
export function usePanelFocus(id: number | undefined) {
  const ref = useRef<HTMLDivElement>(null)
  const last = useRef(id)
  const focus = () => {
    const active = document.activeElement
    // Do not interrupt typing, and keep the focus on a button that shows the next request.
    if (ref.current?.contains(active) !== true && active?.closest('input,textarea,select') == null) ref.current?.focus({ preventScroll: true })
  }
  useEffect(() => {
    if (id === undefined) return
    last.current = id
    focus()
  }, [id])
  return { ref, onOpened: focus, onClosed: () => focusRow(last.current) }
}

/** The row of the request, or the list if the row is not visible, unless another element has the focus. */
function focusRow(id: number | undefined): void {
  if (document.activeElement !== null && document.activeElement !== document.body) return
  const row = document.querySelector<HTMLElement>(`tr[data-request="${id}"]`) ?? document.querySelector<HTMLElement>('[role=region]:has(> table)')
  row?.focus()
}
