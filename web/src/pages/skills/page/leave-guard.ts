import { useBlocker } from '@tanstack/react-router'
import { useUnsaved } from '@/lib/unsaved'
import { useConfirm } from '@/ui/dialog'
import { summarize } from '../files/draft'
import type { Draft } from './use-draft'

/** Asks before a draft is lost by leaving the page. It survives switching tabs and versions. */
export function useLeaveGuard(draft: Draft, name: string): void {
  const confirm = useConfirm()
  useUnsaved(draft.dirty)
  useBlocker({
    disabled: !draft.dirty,
    enableBeforeUnload: draft.dirty,
    shouldBlockFn: async ({ current, next }) => {
      if (current.pathname === next.pathname) return false
      const leave = await confirm({ title: 'Leave without saving?', body: `${name} has unsaved changes: ${summarize(draft.states).toLowerCase()}. They will be lost.`, action: 'Leave', danger: true })
      return !leave
    },
  })
}
