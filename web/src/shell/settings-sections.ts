/** The sections of the settings, in order. The command palette also finds them by the other words. */
export const sections = [
  { id: 'account', title: 'Account', words: 'password profile me', about: 'Your password and permissions.' },
  { id: 'workspaces', title: 'Workspaces', words: 'teams disable rename', about: 'Each workspace has its own members, keys and data. Nothing is shared between workspaces.' },
  { id: 'members', title: 'Members', words: 'people users invite', about: 'Who can access this workspace, and what they can do.' },
  { id: 'roles', title: 'Roles', words: 'permissions rights custom', about: 'Members and API keys have the permissions of all their roles combined. Administrators can add roles of their own to the built-in ones.' },
  { id: 'keys', title: 'API keys', words: 'tokens secrets rotate revoke', about: 'Applications use API keys to access this workspace. Send the key in the X-API-KEY header.' },
  { id: 'providers', title: 'Providers', words: 'models openai anthropic azure gemini ollama', about: 'The playground, workflows and evaluations use these API keys to call models.' },
  { id: 'environment', title: 'Environment variables', words: 'env secrets', about: 'Available to the code of tools and workflows. Values are stored encrypted and never shown.' },
  { id: 'prices', title: 'Prices', words: 'cost models tokens dollars re-price', about: 'What models cost. The price of a request is computed from these when it is logged, unless the client sends one.' },
  { id: 'redaction', title: 'Redaction', words: 'privacy pii mask hide personal data', about: 'What must not be stored. Rules replace it in requests, spans and annotations before anything is written.' },
  { id: 'retention', title: 'Data retention', words: 'delete deletion remove metadata key score expiry gdpr forget certificate days', about: 'How long requests are kept, and what was deleted. What is deleted cannot be brought back.' },
  { id: 'imports', title: 'Imports', words: 'upload csv jsonl langfuse openai promptlayer migrate server', about: 'Requests from files of this and other programs, and prompts, workflows and datasets from other servers. Everything is checked first, and what cannot be imported is listed with the reason.' },
  { id: 'exports', title: 'Exports', words: 'schedule s3 bucket parquet csv archive jobs', about: 'Exports that the server runs on a schedule and writes to a folder or a bucket.' },
  { id: 'webhooks', title: 'Webhooks', words: 'events notify slack deliveries integrations', about: 'Tell other programs and chats what happens in this workspace. Failed deliveries are tried again for about a day.' },
  { id: 'audit', title: 'Audit log', words: 'history changes who', about: 'Who changed what, and when. Entries cannot be edited or deleted.' },
  { id: 'health', title: 'Health', words: 'status disk memory version', about: 'The state of this server. Refreshes every five seconds.' },
] as const

export type SectionId = (typeof sections)[number]['id']
