import { useQueryClient } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { api, call } from '@/api/client'
import { Button } from '@/ui/button'
import { Field, Input } from '@/ui/field'

/** Signs in with email and password, or with the token of a link, which sets a password. */
export default function SignInPage() {
  const { from } = useSearch({ from: '/sign-in' })
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  // The token is in the fragment, which browsers do not send to servers.
  const [token] = useState(() => new URLSearchParams(window.location.hash.slice(1)).get('token'))
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const [error, setError] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  const submit = async (event: React.FormEvent) => {
    event.preventDefault()
    setBusy(true)
    setError(null)
    try {
      await call(api.POST('/api/admin/session', { body: token === null ? { email, password } : { token, password } }))
      queryClient.clear()
      await navigate({ href: from?.startsWith('/app') ? from.slice(4) : (from ?? '/'), replace: true })
    } catch (failure) {
      setError(failure instanceof Error ? failure.message : String(failure))
      setBusy(false)
    }
  }
  return (
    <main className="grid min-h-dvh place-items-center p-4">
      <form onSubmit={(event) => void submit(event)} className="flex w-full max-w-sm flex-col gap-4 rounded-xl border border-line bg-surface p-7 shadow-pop">
        <div className="flex items-center gap-2.5">
          <img src="/app/favicon.svg" alt="" className="size-8" />
          <div>
            <h1 className="text-lg font-semibold">Promptuary</h1>
            <p className="text-[13px] text-faint">{token === null ? 'Sign in to continue' : 'Welcome. Choose a password to get started.'}</p>
          </div>
        </div>
        {token === null && (
          <Field label="Email">{(control) => <Input {...control} type="email" autoComplete="username" required autoFocus value={email} onChange={(event) => setEmail(event.target.value)} />}</Field>
        )}
        <Field label={token === null ? 'Password' : 'New password'} hint={token === null ? undefined : 'At least 10 characters'} error={error}>
          {(control) => (
            <Input
              {...control}
              type="password"
              autoComplete={token === null ? 'current-password' : 'new-password'}
              required
              autoFocus={token !== null}
              value={password}
              onChange={(event) => setPassword(event.target.value)}
            />
          )}
        </Field>
        <Button type="submit" look="primary" busy={busy}>
          {token === null ? 'Sign in' : 'Set password and sign in'}
        </Button>
        {token === null && <p className="text-[13px] text-faint">No account yet? Ask an administrator for a sign-in link.</p>}
      </form>
    </main>
  )
}
