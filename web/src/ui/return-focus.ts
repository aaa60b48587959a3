import { useState } from 'react'

// What had the focus last outside of all windows. A window that takes the place
// of another one is opened by something that goes away with it.
let outside: HTMLElement | null = null

/**
 * Gives the focus back to where it was when a window closes. Radix does so only
 * for windows that know the button which opens them; most here are opened by
 * the state of a page. Pass the result on to the window's content.
 */
export function useReturnFocus(open: boolean): { onCloseAutoFocus: (event: Event) => void } {
  const [wasOpen, setWasOpen] = useState(false)
  const [origin, setOrigin] = useState<HTMLElement | null>(null)
  if (open !== wasOpen) {
    // While rendering: later a field of the window has the focus already.
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

/** What has the focus; of a menu that is about to close, the button that opened it. */
function focused(): HTMLElement | null {
  const active = document.activeElement
  const opener = active?.closest('[role=menu]')?.getAttribute('aria-labelledby')
  const element = opener ? document.getElementById(opener) : active instanceof HTMLElement && active !== document.body ? active : null
  if (document.querySelector('[role=dialog], [role=alertdialog]') === null) outside = element
  return element ?? outside
}
