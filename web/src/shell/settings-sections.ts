/** The sections of the settings, in the order of their list. The command palette finds them too, also by other words. */
export const sections = [
  { id: 'account', title: 'Account', words: 'password profile me', about: 'Your password and what you may do here.' },
  { id: 'workspaces', title: 'Workspaces', words: 'teams disable rename', about: 'A workspace is one team’s space. Nothing in it is visible from another.' },
  { id: 'members', title: 'Members', words: 'people users invite', about: 'The people who get into this workspace, and what they may do in it.' },
  { id: 'roles', title: 'Roles', words: 'permissions rights', about: 'Members and keys may do what all of their roles together allow. Reading needs no role.' },
  { id: 'keys', title: 'API keys', words: 'tokens secrets rotate revoke', about: 'Programs get into this workspace with a key. It is sent in the header X-API-KEY.' },
  { id: 'providers', title: 'Providers', words: 'models openai anthropic azure gemini ollama', about: 'The playground, workflows and evaluations call models with the keys that are set here.' },
  { id: 'environment', title: 'Environment variables', words: 'env secrets', about: 'Code of tools and workflows finds these in its environment. Values are stored encrypted and never shown.' },
  { id: 'audit', title: 'Audit log', words: 'history changes who', about: 'Who changed what, and when. Entries cannot be changed or deleted.' },
  { id: 'health', title: 'Health', words: 'status disk memory version', about: 'How the program that answers here does. The readings refresh every five seconds.' },
] as const

export type SectionId = (typeof sections)[number]['id']
