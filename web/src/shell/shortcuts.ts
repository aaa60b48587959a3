import { useRouter } from '@tanstack/react-router'
import { useEffectEvent, useLayoutEffect } from 'react'
import { goPlaces } from './places'

/** How long after g the second letter counts. */
const patience = 1500

/**
 * Listens for g and a letter, which go to a page, and for the question mark,
 * which shows the list of shortcuts. Neither counts while somebody types, in an
 * open menu or behind a window, or when they are off.
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
      // A page must not take the letter for one of its own.
      event.preventDefault()
      event.stopImmediatePropagation()
      if (place) go(place.path)
      else help()
    }
    window.addEventListener('keydown', onKey, { capture: true })
    return () => window.removeEventListener('keydown', onKey, { capture: true })
  }, [on])
}

/** Whether keys that are pressed there mean something already. */
function takesKeys(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('input, textarea, select, [contenteditable]:not([contenteditable=false]), [role=menu], [role=listbox], [role=combobox]') !== null
}
