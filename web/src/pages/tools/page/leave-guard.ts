import { useBlocker } from '@tanstack/react-router'
import { useUnsaved } from '@/lib/unsaved'
import { useConfirm } from '@/ui/dialog'
import { readSearch } from '../search'
import type { Draft } from './use-draft'

/** Asks before edits are lost by leaving the page or opening another version. */
export function useLeaveGuard(draft: Draft, latest: number): void {
  const confirm = useConfirm()
  const { number } = draft.base.version
  useUnsaved(draft.dirty)
  useBlocker({
    disabled: !draft.dirty,
    enableBeforeUnload: draft.dirty,
    shouldBlockFn: async ({ current, next }) => {
      if (current.pathname === next.pathname) {
        const { tab = 'definition', version = latest } = readSearch(next.search as Record<string, unknown>)
        if (tab !== 'definition' || version === number) return false
      }
      const leave = await confirm({ title: 'Leave without saving?', body: `Your changes to ${draft.base.name} since version ${number} are not saved and will be lost.`, action: 'Leave without saving', danger: true })
      if (leave) draft.discard()
      return !leave
    },
  })
}
