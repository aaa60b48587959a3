import { useSyncExternalStore } from 'react'

/** How texts of messages are shown. */
export type TextView = 'markdown' | 'raw'

const key = 'promptuary.texts'
const changed = 'promptuary-texts'

function read(): TextView {
  try {
    return localStorage.getItem(key) === 'raw' ? 'raw' : 'markdown'
  } catch {
    return 'markdown'
  }
}

function subscribe(listen: () => void) {
  window.addEventListener(changed, listen)
  // Other tabs.
  window.addEventListener('storage', listen)
  return () => {
    window.removeEventListener(changed, listen)
    window.removeEventListener('storage', listen)
  }
}

function choose(view: TextView) {
  try {
    localStorage.setItem(key, view)
  } catch {
    // Without storage the choice cannot be kept.
  }
  window.dispatchEvent(new Event(changed))
}

/** The choice for all messages, stored in the browser. */
export function useTextView(): [TextView, (view: TextView) => void] {
  return [useSyncExternalStore(subscribe, read), choose]
}
