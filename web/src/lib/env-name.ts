/** What is wrong about the name of an environment variable; null where nothing is, or nothing was typed yet. */
export function envNameProblem(name: string): string | null {
  return name === '' || /^[A-Za-z_][A-Za-z0-9_]*$/.test(name) ? null : 'Only letters, digits and _, and no digit at the beginning'
}
