const usualPause = 1000
const longestPause = 30_000

/** The delay in ms before the next poll after a number of consecutive failures. */
export function livePause(failures: number): number {
  return Math.min(usualPause * 2 ** Math.max(0, failures), longestPause)
}
