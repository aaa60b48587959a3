import { useBlocker } from '@tanstack/react-router'
import { useEffect, useEffectEvent } from 'react'
import { useUnsaved } from '@/lib/unsaved'
import { useConfirm } from '@/ui/dialog'

/** Runs with Ctrl or Cmd and Enter, wherever one is on the page. */
export function useRunKey(run: () => void): void {
  const onRun = useEffectEvent(run)
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
      // A reply is sent by the same keys, and a window has its own form.
      if (event.target instanceof Element && event.target.closest('[data-reply], [role="dialog"]') !== null) return
      event.preventDefault()
      event.stopPropagation()
      onRun()
    }
    // The editors know these keys as well: the page comes first.
    window.addEventListener('keydown', onKey, { capture: true })
    return () => window.removeEventListener('keydown', onKey, { capture: true })
  }, [])
}

/** What the browser cannot keep is lost with the page: asks before that. */
export function useLeaveGuard(on: boolean): void {
  const confirm = useConfirm()
  useUnsaved(on)
  useBlocker({
    disabled: !on,
    enableBeforeUnload: on,
    shouldBlockFn: async () =>
      !(await confirm({ title: 'Leave the playground?', body: 'What is on this page is too large to be kept in this browser, and would be lost.', action: 'Leave and lose it', danger: true })),
  })
}
