import { useBlocker } from '@tanstack/react-router'
import { useUnsaved } from '@/lib/unsaved'
import { useConfirm } from '@/ui/dialog'

/** Asks before edits are lost by leaving the page, or by opening something on it that replaces them. */
export function useLeaveGuard({ dirty, body, action = 'Leave without saving', keeps, discard }: {
  dirty: boolean
  /** What will be lost, in words. */
  body: string
  action?: string
  /** Reports whether the edits survive a change of the URL within the page. */
  keeps: (next: Record<string, unknown>, current: Record<string, unknown>) => boolean
  discard?: () => void
}): void {
  const confirm = useConfirm()
  useUnsaved(dirty)
  useBlocker({
    disabled: !dirty,
    enableBeforeUnload: dirty,
    shouldBlockFn: async ({ current, next }) => {
      if (current.pathname === next.pathname && keeps(next.search as Record<string, unknown>, current.search as Record<string, unknown>)) return false
      const leave = await confirm({ title: 'Leave without saving?', body, action, danger: true })
      if (leave) discard?.()
      return !leave
    },
  })
}
