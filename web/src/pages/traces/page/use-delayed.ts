import { useEffect, useEffectEvent, useState } from 'react'

/**
 * A search parameter that changes faster than the URL may: browsers limit how
 * often it is changed, which a held arrow key would exceed.
 */
export function useDelayed(value: string | undefined, write: (value: string | undefined) => void): [string | undefined, (value: string | undefined) => void] {
  const [local, setLocal] = useState(value)
  const [seen, setSeen] = useState(value)
  const [sent, setSent] = useState(value)
  if (seen !== value) {
    setSeen(value)
    if (value !== sent) {
      // Changed elsewhere, for example by going back.
      setSent(value)
      setLocal(value)
    }
  }
  const send = useEffectEvent((next: string | undefined) => {
    setSent(next)
    write(next)
  })
  useEffect(() => {
    if (local === value) return
    const timer = setTimeout(() => send(local), 300)
    return () => clearTimeout(timer)
  }, [local, value])
  return [local, setLocal]
}
