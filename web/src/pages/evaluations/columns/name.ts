/** An unused name for a new column. */
export function nameFor(label: string, taken: string[]): string {
  const name = label.toLowerCase()
  if (!taken.includes(name)) return name
  for (let number = 2; ; number++) {
    if (!taken.includes(`${name} ${number}`)) return `${name} ${number}`
  }
}
