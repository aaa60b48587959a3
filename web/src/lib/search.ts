/**
 * Readers for the search parameters of a URL. Each one ignores values it does
 * not understand, so an old or mistyped link still opens its page.
 */
type Members = Record<string, unknown>

export function readText<Name extends string>(search: Members, ...names: Name[]): { [name in Name]?: string } {
  return pick(search, names, (value) => (typeof value === 'string' ? value : typeof value === 'number' ? String(value) : undefined))
}

/** Integers from 1, such as ids and version numbers. */
export function readNumber<Name extends string>(search: Members, ...names: Name[]): { [name in Name]?: number } {
  return pick(search, names, (value) => {
    const number = typeof value === 'string' && value !== '' ? Number(value) : value
    return typeof number === 'number' && Number.isInteger(number) && number > 0 ? number : undefined
  })
}

export function readChoice<Name extends string, const Choice extends string>(search: Members, name: Name, choices: readonly Choice[]): { [name in Name]?: Choice } {
  return pick(search, [name], (value) => choices.find((choice) => choice === value))
}

export function readFlag<Name extends string>(search: Members, ...names: Name[]): { [name in Name]?: true } {
  return pick(search, names, (value) => (value === true || value === 'true' ? true : undefined))
}

function pick<Name extends string, Value>(search: Members, names: Name[], read: (value: unknown) => Value | undefined): { [name in Name]?: Value } {
  const found: { [name in Name]?: Value } = {}
  for (const name of names) {
    const value = read(search[name])
    if (value !== undefined) found[name] = value
  }
  return found
}
