import { useRouter } from '@tanstack/react-router'
import { useEffectEvent, useLayoutEffect } from 'react'
import { goPlaces } from './places'

/** How long to wait for the letter after g. */
const patience = 1500

/**
 * Listens for g followed by a letter, which opens a page, and for the question
 * mark, which shows the shortcuts. Both are ignored in fields, in open menus,
 * behind dialogs, and when shortcuts are off.
 */
export function useShortcuts(workspace: number, on: boolean, onHelp: () => void): void {
  const router = useRouter()
  const go = useEffectEvent((path: string) => void router.navigate({ href: `/${workspace}/${path}` }))
  const help = useEffectEvent(onHelp)
  useLayoutEffect(() => {
    if (!on) return
    let pressedAt = -Infinity
    const onKey = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.repeat || takesKeys(event.target) || document.body.hasAttribute('data-scroll-locked')) return
      const second = event.timeStamp - pressedAt < patience
      pressedAt = !second && event.key === 'g' ? event.timeStamp : -Infinity
      const place = second ? goPlaces.find(({ key }) => key === event.key) : undefined
      if (place === undefined && event.key !== '?') return
      // Keep the page from handling the letter too.
      event.preventDefault()
      event.stopImmediatePropagation()
      if (place) go(place.path)
      else help()
    }
    window.addEventListener('keydown', onKey, { capture: true })
    return () => window.removeEventListener('keydown', onKey, { capture: true })
  }, [on])
}

/** Reports whether the element handles keys itself. */
function takesKeys(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('input, textarea, select, [contenteditable]:not([contenteditable=false]), [role=menu], [role=listbox], [role=combobox]') !== null
}
