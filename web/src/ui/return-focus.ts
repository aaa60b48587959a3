import { useState } from 'react'

// The element that last had the focus outside of all dialogs. A dialog that
// replaces another one is opened by an element that disappears with it.
let outside: HTMLElement | null = null

/**
 * Restores the focus when a dialog closes. Radix does so only for dialogs that
 * know their trigger; most dialogs here are opened by page state. Pass the
 * result to the dialog's content.
 */
export function useReturnFocus(open: boolean): { onCloseAutoFocus: (event: Event) => void } {
  const [wasOpen, setWasOpen] = useState(false)
  const [origin, setOrigin] = useState<HTMLElement | null>(null)
  if (open !== wasOpen) {
    // During rendering, because later a field of the dialog has the focus.
    setWasOpen(open)
    if (open) setOrigin(focused())
  }
  return {
    onCloseAutoFocus: (event) => {
      const target = [origin, outside].find((element) => element?.isConnected)
      if (!target || origin === null) return
      event.preventDefault()
      target.focus()
    },
  }
}

/** The focused element or, for a menu that is about to close, its trigger. */
function focused(): HTMLElement | null {
  const active = document.activeElement
  const opener = active?.closest('[role=menu]')?.getAttribute('aria-labelledby')
  const element = opener ? document.getElementById(opener) : active instanceof HTMLElement && active !== document.body ? active : null
  if (document.querySelector('[role=dialog], [role=alertdialog]') === null) outside = element
  return element ?? outside
}
