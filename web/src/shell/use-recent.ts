import { useRouterState } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { placeOf, rememberPlace } from './recent'

/** Remembers the pages where the user stays for a moment. */
export function useRecentPlaces(workspace: number): void {
  const href = useRouterState({ select: (state) => state.location.href })
  const remembered = useRef({ path: '', title: '' })
  useEffect(() => {
    const path = href.split('?')[0] ?? ''
    const before = remembered.current
    const note = () => {
      const title = document.title
      // After navigation, the old title remains until the new page sets its own.
      if (path !== before.path && title === before.title && !href.includes('request=')) return
      remembered.current = { path, title }
      const place = placeOf(href, title)
      if (place) rememberPlace(workspace, place)
    }
    const timers = [800, 1600, 4000].map((wait) => setTimeout(note, wait))
    return () => timers.forEach((timer) => clearTimeout(timer))
  }, [href, workspace])
}
