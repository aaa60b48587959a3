import { useBlocker } from '@tanstack/react-router'
import { useEffect, useEffectEvent } from 'react'
import { useUnsaved } from '@/lib/unsaved'
import { useConfirm } from '@/ui/dialog'

/** Runs on Ctrl+Enter or Cmd+Enter, anywhere on the page. */
export function useRunKey(run: () => void): void {
  const onRun = useEffectEvent(run)
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
      // Replies use the same keys, and dialogs have their own forms.
      if (event.target instanceof Element && event.target.closest('[data-reply], [role="dialog"]') !== null) return
      event.preventDefault()
      event.stopPropagation()
      onRun()
    }
    // Editors also handle these keys: the page comes first.
    window.addEventListener('keydown', onKey, { capture: true })
    return () => window.removeEventListener('keydown', onKey, { capture: true })
  }, [])
}

/** Asks before leaving when the session is too large for the browser's storage. */
export function useLeaveGuard(on: boolean): void {
  const confirm = useConfirm()
  useUnsaved(on)
  useBlocker({
    disabled: !on,
    enableBeforeUnload: on,
    shouldBlockFn: async () =>
      !(await confirm({ title: 'Leave the playground?', body: 'This session is too large to be stored in the browser and will be lost.', action: 'Leave', danger: true })),
  })
}
