/**
 * Files are pulled in the layout of the provider. Pages show and save their paths
 * from the root of the collection.
 */
const layouts: Record<string, { prefix: string; nested: boolean }> = {
  claude_code: { prefix: '.claude/', nested: true },
  openai: { prefix: '.agents/', nested: true },
  openclaw: { prefix: '.openclaw/', nested: false },
}

const placed = ['skills/', 'agents/', 'commands/', 'hooks/']

/** The path of a file in the layout of the provider. */
export function exportPath(provider: string | null, path: string): string {
  const layout = provider === null ? undefined : layouts[provider]
  if (layout === undefined) return path
  const nested = layout.nested && path.includes('/') && !isPlaced(path)
  return layout.prefix + (nested ? 'skills/' : '') + path
}

/** Reverts exportPath for any provider, as the server does with uploads. */
export function importPath(path: string): string {
  const layout = Object.values(layouts).find(({ prefix }) => path.startsWith(prefix) && path !== prefix)
  if (layout === undefined) return path
  const inner = path.slice(layout.prefix.length)
  const skill = inner.startsWith('skills/') ? inner.slice('skills/'.length) : ''
  return layout.nested && skill.includes('/') && !isPlaced(skill) ? skill : inner
}

function isPlaced(path: string): boolean {
  return placed.some((folder) => path.startsWith(folder))
}

/** The contents by their paths from the root. */
export function fromRoot(paths: string[], provider: string | null, pulled: Record<string, string>): Record<string, string> {
  const files: Record<string, string> = {}
  for (const path of paths) files[path] = pulled[exportPath(provider, path)] ?? pulled[path] ?? ''
  return files
}

export const providers = [
  { value: '', label: 'Any provider', note: 'Files keep the layout of the collection.' },
  { value: 'claude_code', label: 'Claude Code', note: 'Files are pulled into .claude.' },
  { value: 'openai', label: 'OpenAI', note: 'Files are pulled into .agents.' },
  { value: 'openclaw', label: 'OpenClaw', note: 'Files are pulled into .openclaw.' },
]

export function providerName(provider: string | null): string {
  return providers.find(({ value }) => value === (provider ?? ''))?.label ?? provider ?? ''
}
