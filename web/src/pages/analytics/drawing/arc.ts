/** The path of a ring segment around 0,0 between two fractions of a turn, starting at the top. */
export function arc(from: number, to: number, inner: number, outer: number): string {
  // A full turn would end where it starts and draw nothing, so leave a tiny gap.
  const end = to - from >= 1 ? from + 0.99999 : to
  const large = end - from > 0.5 ? 1 : 0
  const outside = `M${point(from, outer)}A${outer} ${outer} 0 ${large} 1 ${point(end, outer)}`
  if (inner === 0) return `${outside}L0 0Z`
  return `${outside}L${point(end, inner)}A${inner} ${inner} 0 ${large} 0 ${point(from, inner)}Z`
}

function point(share: number, radius: number): string {
  const angle = share * 2 * Math.PI
  return `${round(Math.sin(angle) * radius)} ${round(-Math.cos(angle) * radius)}`
}

function round(value: number): number {
  return Math.round(value * 1e5) / 1e5
}
