interface Named {
  id: number
  name: string
}

/** The columns whose configuration refers to a column. */
export function usersOf(column: Named, columns: (Named & { configuration: Record<string, unknown> })[]): string[] {
  return columns.filter((one) => one.id !== column.id && mentions(one.configuration, column.name)).map(({ name }) => name)
}

function mentions(value: unknown, name: string): boolean {
  if (typeof value === 'string') return value === name
  return typeof value === 'object' && value !== null && Object.values(value).some((member) => mentions(member, name))
}
