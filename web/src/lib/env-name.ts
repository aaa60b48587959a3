/** Returns what is wrong with the name of an environment variable, or null if it is valid or empty. */
export function envNameProblem(name: string): string | null {
  return name === '' || /^[A-Za-z_][A-Za-z0-9_]*$/.test(name) ? null : 'Use letters, digits and underscores. The first character cannot be a digit.'
}
