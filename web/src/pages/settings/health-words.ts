import { instant } from '@/lib/format'

export interface Disk {
  free_bytes: number | null
  total_bytes: number | null
}

const scarce = 2_000_000_000

/** How full the disk is, and whether action is needed. */
export function diskState({ free_bytes, total_bytes }: Disk): { used: number; level: 'good' | 'warn' | 'bad' } | null {
  if (free_bytes === null || total_bytes === null || total_bytes === 0) return null
  const free = free_bytes / total_bytes
  const level = free < 0.03 || free_bytes < scarce / 4 ? 'bad' : free < 0.1 || free_bytes < scarce ? 'warn' : 'good'
  return { used: 1 - free, level }
}

/** Formats a duration in seconds in its two largest units. */
export function span(seconds: number): string {
  const units: [number, string][] = [[86_400, 'd'], [3600, 'h'], [60, 'min'], [1, 's']]
  const first = units.findIndex(([size]) => seconds >= size)
  if (first < 0) return '0 s'
  let left = Math.floor(seconds)
  const words: string[] = []
  for (const [size, unit] of units.slice(first, first + 2)) {
    const count = Math.floor(left / size)
    left -= count * size
    if (count > 0) words.push(`${count} ${unit}`)
  }
  return words.join(' ')
}

/** A point that is older than this is worth a look, in milliseconds. */
const old = 7 * 86_400_000

/** How the last backup ended, and whether action is needed. */
export function backupState({ outcome, point_at }: { outcome: string; point_at: string | null }, now = Date.now()): { tone: 'good' | 'warn' | 'bad'; words: string } {
  if (outcome === 'failed') return { tone: 'bad', words: 'failed' }
  if (outcome === 'damaged') return { tone: 'warn', words: 'damaged' }
  if (point_at !== null && now - instant(point_at).getTime() > old) return { tone: 'warn', words: 'old' }
  return { tone: 'good', words: 'complete' }
}
