interface Growing {
  closed: boolean
  end_time: string
}

const minute = 60_000

/**
 * How long to wait before looking for new spans, in ms, or false when none are
 * expected: the trace is closed, or its last span is old.
 */
export function pollDelay(trace: Growing | null | undefined, now: number): number | false {
  if (!trace || trace.closed) return false
  const age = now - Date.parse(trace.end_time)
  if (age < 2 * minute) return 2000
  return age < 15 * minute ? 10_000 : false
}
