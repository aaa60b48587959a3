const usualPause = 1000
const longestPause = 30_000

/** How long to wait before the newest requests are asked for again, in ms, after so many failures in a row. */
export function livePause(failures: number): number {
  return Math.min(usualPause * 2 ** Math.max(0, failures), longestPause)
}
