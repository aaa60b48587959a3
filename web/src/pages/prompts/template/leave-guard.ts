import { useBlocker } from '@tanstack/react-router'
import { useUnsaved } from '@/lib/unsaved'
import { useConfirm } from '@/ui/dialog'
import { readSearch } from '../search'
import type { Draft } from './draft'

/** Asks before unsaved changes are lost: by leaving the page, or by opening another version in the editor. */
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
        body: `What you changed in ${draft.base.prompt_name} since version ${draft.base.version} is not saved and would be lost.`,
        action: 'Leave and lose it',
        danger: true,
      })
      if (leave) draft.begin(draft.base)
      return !leave
    },
  })
}
