/**
 * The values of a row by the variables that its columns are named like. Rows
 * that were made from logs have their variables as `variable.name`.
 */
export function valuesOfRow(names: string[], columns: string[], row: unknown[]): Record<string, string> {
  const found: Record<string, string> = {}
  for (const name of names) {
    const at = [columns.indexOf(name), columns.indexOf(`variable.${name}`)].find((index) => index >= 0 && row[index] !== null && row[index] !== undefined)
    if (at === undefined) continue
    const value = row[at]
    found[name] = typeof value === 'string' ? value : JSON.stringify(value)
  }
  return found
}
