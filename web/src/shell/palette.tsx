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
 * The command palette and the keyboard shortcuts. The dialogs load after the
 * first page is shown; until then a placeholder field takes the typed text.
 */
export function Palette({ open, onOpenChange }: { open: boolean; onOpenChange: (open: boolean) => void }) {
  const { workspace_id } = useSession()
  const [help, setHelp] = useState(false)
  const [used, setUsed] = useState({ palette: false, help: false })
  if ((open && !used.palette) || (help && !used.help)) setUsed({ palette: used.palette || open, help: used.help || help })
  // Not in the dialog: when it loads, the field before it already has the focus.
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

/** Loads the dialog once the page has its data and the browser is idle. */
function usePrefetch(): void {
  const queryClient = useQueryClient()
  useEffect(() => {
    const timer = setInterval(() => {
      if (queryClient.isFetching() > 0) return
      clearInterval(timer)
      // Safari does not support requestIdleCallback.
      if ('requestIdleCallback' in window) window.requestIdleCallback(() => void loadWindow(), { timeout: 2000 })
      else void loadWindow()
    }, 250)
    return () => clearInterval(timer)
  }, [queryClient])
}
