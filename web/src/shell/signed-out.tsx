import { useQueryClient } from '@tanstack/react-query'
import { Link, useRouter } from '@tanstack/react-router'
import { useEffect, useEffectEvent, useLayoutEffect, useState } from 'react'
import { ApiError, listenForSignedOut } from '@/api/client'
import { sessionQuery } from '@/api/session'
import { signedOutHandler } from '@/api/signed-out'
import { hasUnsaved } from '@/lib/unsaved'
import { Button, buttonClass } from '@/ui/button'
import { Dialog } from '@/ui/dialog'
import { useToast } from '@/ui/toast'

/**
 * Takes users who are signed out while using the app to the sign-in page. If that
 * would lose edits, it shows a message instead and waits for a sign-in in another
 * tab.
 */
export function SignedOutWatch() {
  const queryClient = useQueryClient()
  const toast = useToast()
  const { check, leave } = useSessionActions()
  const [isOut, setOut] = useState(false)
  const [open, setOpen] = useState(false)
  const tell = useEffectEvent(() => {
    setOut(true)
    setOpen(true)
  })
  const onCheck = useEffectEvent(check)
  const onLeave = useEffectEvent(leave)
  useLayoutEffect(() => {
    const handle = signedOutHandler({ check: () => onCheck(), editing: hasUnsaved, leave: () => onLeave(), tell: () => tell() })
    listenForSignedOut(() => void handle(false))
    const stop = queryClient.getMutationCache().subscribe((event) => {
      if (event.type === 'updated' && event.action.type === 'error' && isSignedOut(event.action.error)) void handle(true)
    })
    return () => {
      listenForSignedOut(() => undefined)
      stop()
    }
  }, [queryClient])
  const onReturn = useEffectEvent(async () => {
    if (document.hidden || !(await check())) return
    setOut(false)
    setOpen(false)
    toast.done('You are signed in again. You can save your changes now.')
    await queryClient.invalidateQueries()
  })
  useEffect(() => {
    if (!isOut) return
    const onFocus = () => void onReturn()
    window.addEventListener('focus', onFocus)
    document.addEventListener('visibilitychange', onFocus)
    return () => {
      window.removeEventListener('focus', onFocus)
      document.removeEventListener('visibilitychange', onFocus)
    }
  }, [isOut])
  return (
    <Dialog
      open={open}
      onOpenChange={setOpen}
      size="narrow"
      title="You are signed out"
      description="Sign in in another tab, then save again. Your changes are still here."
      footer={
        <>
          <Button onClick={() => setOpen(false)}>Close</Button>
          <Link to="/sign-in" target="_blank" className={buttonClass('primary')}>Sign in (new tab)</Link>
        </>
      }
    >
      {null}
    </Dialog>
  )
}

function isSignedOut(error: unknown): boolean {
  return error instanceof ApiError && error.status === 401
}

function useSessionActions() {
  const router = useRouter()
  const queryClient = useQueryClient()
  const onSignIn = () => router.state.location.pathname === '/sign-in'
  return {
    /** Reports whether the user is signed in, and uses their session for later requests. */
    check: async (): Promise<boolean> => {
      const workspace = router.state.matches.map(({ params }) => ('workspace' in params ? Number(params.workspace) : null)).find((id) => id !== null)
      try {
        await queryClient.fetchQuery({ ...sessionQuery(workspace ?? null), staleTime: 0 })
        return true
      } catch (error) {
        // An unreachable server says nothing about the session.
        return !isSignedOut(error)
      }
    },
    leave: async () => {
      if (onSignIn()) return
      await router.navigate({ to: '/sign-in', search: { from: router.state.location.href } })
      // The user may have chosen to stay. Otherwise, returning here loads the session again.
      if (onSignIn()) queryClient.removeQueries({ queryKey: ['session'] })
    },
  }
}
