import type { Tone } from '@/ui/badge'
import { instant } from '@/lib/format'

interface Times {
  expires_at: string | null
  revoked_at: string | null
}

const week = 7 * 86_400_000

/** Reports whether a key works, and whether it expires soon. */
export function keyState({ expires_at, revoked_at }: Times, now = Date.now()): { state: 'active' | 'expires soon' | 'expired' | 'revoked'; works: boolean; tone: Tone } {
  if (revoked_at !== null) return { state: 'revoked', works: false, tone: 'neutral' }
  if (expires_at === null) return { state: 'active', works: true, tone: 'good' }
  const left = instant(expires_at).getTime() - now
  if (left <= 0) return { state: 'expired', works: false, tone: 'neutral' }
  return left < week ? { state: 'expires soon', works: true, tone: 'warn' } : { state: 'active', works: true, tone: 'good' }
}

/** Formats the time until a future date, such as "in 3 days". */
export function until(at: string, now = Date.now()): string {
  const minutes = Math.round((instant(at).getTime() - now) / 60_000)
  if (minutes < 1) return 'now'
  if (minutes < 60) return `in ${minutes} min`
  if (minutes < 48 * 60) return `in ${Math.round(minutes / 60)} h`
  return `in ${Math.round(minutes / 1440)} days`
}

/** The expiry of a key that lasts a number of days, or undefined for no expiry. */
export function endAfter(days: number, now = Date.now()): string | undefined {
  return days > 0 ? new Date(now + days * 86_400_000).toISOString() : undefined
}

/** A command that uses the key: logs a request if the key allows it, otherwise reads. */
export function curlFor(origin: string, key: string, mayLog: boolean, now = new Date()): string {
  const header = `-H 'X-API-KEY: ${key}'`
  if (!mayLog) return `curl -sS ${origin}/prompt-templates ${header}`
  const started = new Date(now.getTime() - 1000).toISOString()
  return `curl -sS ${origin}/log-request ${header} -H 'Content-Type: application/json' -d '{
  "provider": "openai", "model": "gpt-4o",
  "input":  {"type": "chat", "messages": [{"role": "user", "content": [{"type": "text", "text": "Hello"}]}]},
  "output": {"type": "chat", "messages": [{"role": "assistant", "content": [{"type": "text", "text": "Hi there"}]}]},
  "request_start_time": "${started}", "request_end_time": "${now.toISOString()}"}'`
}
