import { useBlocker } from '@tanstack/react-router'
import { useUnsaved } from '@/lib/unsaved'
import { useConfirm } from '@/ui/dialog'
import { summarize } from '../files/draft'
import type { Draft } from './use-draft'

/** Asks before a draft is lost by leaving the page. It stays while tabs and versions change. */
export function useLeaveGuard(draft: Draft, name: string): void {
  const confirm = useConfirm()
  useUnsaved(draft.dirty)
  useBlocker({
    disabled: !draft.dirty,
    enableBeforeUnload: draft.dirty,
    shouldBlockFn: async ({ current, next }) => {
      if (current.pathname === next.pathname) return false
      const leave = await confirm({ title: 'Leave without saving?', body: `${name} has changes that are not saved: ${summarize(draft.states).toLowerCase()}. They are lost when you leave.`, action: 'Leave', danger: true })
      return !leave
    },
  })
}
