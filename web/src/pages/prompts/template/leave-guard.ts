import { useBlocker } from '@tanstack/react-router'
import { useUnsaved } from '@/lib/unsaved'
import { useConfirm } from '@/ui/dialog'
import { readSearch } from '../search'
import type { Draft } from './draft'

/** Asks before unsaved changes are lost by leaving the page or opening another version. */
export function useLeaveGuard(draft: Draft, asked: number | undefined): void {
  const confirm = useConfirm()
  useUnsaved(draft.dirty)
  useBlocker({
    disabled: !draft.dirty,
    enableBeforeUnload: draft.dirty,
    shouldBlockFn: async ({ current, next }) => {
      if (current.pathname === next.pathname) {
        const { tab = 'editor', version } = readSearch(next.search as Record<string, unknown>)
        if (tab !== 'editor' || version === asked) return false
      }
      const leave = await confirm({
        title: 'Leave without saving?',
        body: `Your changes to ${draft.base.prompt_name} since version ${draft.base.version} are not saved and will be lost.`,
        action: 'Leave without saving',
        danger: true,
      })
      if (leave) draft.begin(draft.base)
      return !leave
    },
  })
}
