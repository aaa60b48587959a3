import { useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useEffect, useState } from 'react'
import { useSession } from '@/api/session'
import { useReturnFocus } from '@/ui/return-focus'
import { PaletteOpening } from './palette-opening'
import { useShortcuts } from './shortcuts'
import { useRecentPlaces } from './use-recent'

const loadWindow = () => import('./palette-window')
const PaletteWindow = lazy(loadWindow)
const ShortcutsWindow = lazy(() => import('./shortcuts-window'))

/**
 * Finds any entity and any page by a part of its name, and listens for the
 * shortcuts. The windows are fetched when the first page is shown; whoever is
 * quicker types into a field that stands in for the one of the window.
 */
export function Palette({ open, onOpenChange }: { open: boolean; onOpenChange: (open: boolean) => void }) {
  const { workspace_id } = useSession()
  const [help, setHelp] = useState(false)
  const [used, setUsed] = useState({ palette: false, help: false })
  if ((open && !used.palette) || (help && !used.help)) setUsed({ palette: used.palette || open, help: used.help || help })
  // Here and not in the window: it comes when the field before it has the focus already.
  const returnFocus = useReturnFocus(open)
  useShortcuts(workspace_id, !open, () => setHelp(true))
  useRecentPlaces(workspace_id)
  usePrefetch()
  return (
    <>
      <Suspense fallback={open ? <PaletteOpening onClose={() => onOpenChange(false)} /> : null}>
        {used.palette && <PaletteWindow open={open} onOpenChange={onOpenChange} onHelp={() => setHelp(true)} returnFocus={returnFocus} />}
      </Suspense>
      <Suspense fallback={null}>{used.help && <ShortcutsWindow open={help} onOpenChange={setHelp} />}</Suspense>
    </>
  )
}

/** Fetches the window as soon as the page has what it shows, and the browser has nothing better to do. */
function usePrefetch(): void {
  const queryClient = useQueryClient()
  useEffect(() => {
    const timer = setInterval(() => {
      if (queryClient.isFetching() > 0) return
      clearInterval(timer)
      // Safari has no such function.
      if ('requestIdleCallback' in window) window.requestIdleCallback(() => void loadWindow(), { timeout: 2000 })
      else void loadWindow()
    }, 250)
    return () => clearInterval(timer)
  }, [queryClient])
}
