/** The kinds with their own permissions, and the prefixes of these. */
const kinds = [['prompts', 'PROMPT'], ['workflows', 'WORKFLOW'], ['datasets', 'DATASET'], ['evaluations', 'REPORT'], ['tools', 'TOOL'], ['skills', 'SKILL']] as const

/** Labels for permissions. Built-in roles have either all or none of the permissions in a group. */
const known: { label: string; permissions: string[] }[] = [
  { label: 'Read', permissions: ['READ'] },
  ...kinds.map(([noun, prefix]) => ({
    label: `Create, edit and delete ${noun}`,
    permissions: [`${prefix}_CREATE`, `${prefix}_EDIT`, `${prefix}_DELETE`],
  })),
  { label: 'Set, move and delete labels', permissions: ['PROMPT_DEPLOY', 'WORKFLOW_DEPLOY', 'TOOL_DEPLOY', 'SKILL_DEPLOY'] },
  { label: 'Run workflows and evaluations', permissions: ['WORKFLOW_RUN', 'REPORT_RUN'] },
  { label: 'Log requests', permissions: ['REQUEST_CREATE'] },
  { label: 'Annotate requests', permissions: ['METADATA_EDIT'] },
  { label: 'Manage environment variables and provider keys', permissions: ['MANAGE_ENV_VARS'] },
  { label: 'Manage API keys', permissions: ['MANAGE_API_KEYS'] },
  { label: 'Manage prices', permissions: ['MANAGE_PRICES'] },
  { label: 'Manage data: redaction, deletion, retention, imports, exports', permissions: ['MANAGE_DATA'] },
  { label: 'Manage webhooks', permissions: ['MANAGE_WEBHOOKS'] },
  { label: 'Manage alerts and budgets', permissions: ['MANAGE_ALERTS'] },
  { label: 'Manage members and settings, read the audit log', permissions: ['ADMIN'] },
  { label: 'Manage workspaces and owners', permissions: ['OWN'] },
]

/** Groups the permissions of the server into labelled rows. Unknown ones get a row with their own name. */
export function permissionGroups(all: string[]): { label: string; permissions: string[] }[] {
  const there = new Set(all)
  const groups = known
    .map(({ label, permissions }) => ({ label, permissions: permissions.filter((permission) => there.has(permission)) }))
    .filter(({ permissions }) => permissions.length > 0)
  const named = new Set(known.flatMap(({ permissions }) => permissions))
  const others = [...there].filter((permission) => !named.has(permission)).map((permission) => ({ label: permission, permissions: [permission] }))
  return [...groups, ...others]
}

const verbs: Record<string, string> = { CREATE: 'Create', EDIT: 'Edit', DELETE: 'Delete', DEPLOY: 'Release', RUN: 'Run' }

export interface PermissionArea {
  label: string
  permissions: { name: string; label: string }[]
}

/** The permissions by area: one for each kind, and one for the others. */
export function permissionAreas(all: string[]): PermissionArea[] {
  const areas: PermissionArea[] = kinds.map(([noun, prefix]) => ({
    label: noun.charAt(0).toUpperCase() + noun.slice(1),
    permissions: all.filter((name) => name.startsWith(`${prefix}_`)).map((name) => ({ name, label: verbs[name.slice(prefix.length + 1)] ?? name })),
  }))
  const named = new Set(areas.flatMap(({ permissions }) => permissions.map(({ name }) => name)))
  const others = permissionGroups(all.filter((name) => !named.has(name))).flatMap(({ label, permissions }) => permissions.map((name) => ({ name, label })))
  return [{ label: 'Workspace', permissions: others }, ...areas].filter(({ permissions }) => permissions.length > 0)
}
