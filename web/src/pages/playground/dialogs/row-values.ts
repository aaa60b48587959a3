/** The columns that can fill in a variable, most likely first. */
function columnsOf(name: string, columns: string[]): number[] {
  return [columns.indexOf(name), columns.indexOf(`variable.${name}`)].filter((index) => index >= 0)
}

export function hasColumn(name: string, columns: string[]): boolean {
  return columnsOf(name, columns).length > 0
}

/**
 * The values of a row by variable name. Rows created from request logs have
 * their variables in columns such as `variable.name`.
 */
export function valuesOfRow(names: string[], columns: string[], row: unknown[]): Record<string, string> {
  const found: Record<string, string> = {}
  for (const name of names) {
    const at = columnsOf(name, columns).find((index) => row[index] !== null && row[index] !== undefined)
    if (at === undefined) continue
    const value = row[at]
    found[name] = typeof value === 'string' ? value : JSON.stringify(value)
  }
  return found
}
