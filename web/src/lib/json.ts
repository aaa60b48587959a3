/** Reports whether a JSON value is an object, not an array or null. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Reports whether two JSON values are equal. The order of members does not matter. */
export function same(a: unknown, b: unknown): boolean {
  if (a === b) return true
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null || Array.isArray(a) !== Array.isArray(b)) return false
  const left = Object.entries(a)
  const right = b as Record<string, unknown>
  return left.length === Object.keys(b).length && left.every(([key, value]) => key in right && same(value, right[key]))
}
