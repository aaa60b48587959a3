import { forPublishing, readModel, type Message, type ModelConfig, type PromptTemplate } from '@/template/types'

/** The version of a template that messages were taken from. */
export interface Source {
  prompt: number
  name: string
  version: number
  /** The fingerprint of the published messages. */
  print: string
}

/** The messages for a model, and where they came from. */
export interface Script {
  template: PromptTemplate
  source: Source | null
}

export interface Column {
  id: number
  /** The column's own messages, or null for the shared ones. */
  own: Script | null
  /** The metadata of a version, which contains the model. */
  metadata: Record<string, unknown> | null
  /** The conversation after the messages of the template. */
  talk: Message[]
}

/** Everything on the page except the answers. */
export interface Session {
  shared: Script
  columns: Column[]
  /** The typed values of the variables. */
  values: Record<string, string>
  nextId: number
}

/** The maximum number of columns. */
export const mostColumns = 4

export function newSession(shared: Script, metadata: Record<string, unknown> | null): Session {
  return { shared, columns: [{ id: 1, own: null, metadata, talk: [] }], values: {}, nextId: 2 }
}

export function scriptOf(session: Session, column: Column): Script {
  return column.own ?? session.shared
}

/** A short fingerprint of a template. */
export function fingerprint(template: PromptTemplate): string {
  const text = JSON.stringify(forPublishing(template))
  let [high, low] = [0xdeadbeef, 0x41c6ce57]
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at)
    high = Math.imul(high ^ unit, 2654435761)
    low = Math.imul(low ^ unit, 1597334677)
  }
  return `${text.length}-${(high >>> 0).toString(36)}-${(low >>> 0).toString(36)}`
}

/** Reports whether the messages differ from the version they came from. */
export function isEdited({ template, source }: Script): boolean {
  return source !== null && fingerprint(template) !== source.print
}

function changeColumn(session: Session, id: number, change: (column: Column) => Column): Session {
  return { ...session, columns: session.columns.map((column) => (column.id === id ? change(column) : column)) }
}

/** Sets the messages of a column: its own, or else the shared ones. */
export function setScript(session: Session, id: number, script: Script): Session {
  if (session.columns.find((column) => column.id === id)?.own == null) return { ...session, shared: script }
  return changeColumn(session, id, (column) => ({ ...column, own: script }))
}

export function withModel(metadata: Record<string, unknown> | null, model: ModelConfig | null): Record<string, unknown> | null {
  if (model !== null) return { ...metadata, model }
  const rest = Object.entries(metadata ?? {}).filter(([name]) => name !== 'model')
  return rest.length > 0 ? Object.fromEntries(rest) : null
}

/** Changes the model. Keeps the parameters, but not settings specific to the old model. */
export function chooseModel(metadata: Record<string, unknown> | null, provider: string, name: string): Record<string, unknown> | null {
  const parameters = readModel(metadata)?.parameters
  return withModel(metadata, { provider, name, ...(parameters ? { parameters } : {}) })
}

export function setMetadata(session: Session, id: number, metadata: Record<string, unknown> | null): Session {
  return changeColumn(session, id, (column) => ({ ...column, metadata }))
}

export function setTalk(session: Session, id: number, talk: Message[]): Session {
  return changeColumn(session, id, (column) => ({ ...column, talk }))
}

/** Adds a copy of a column after it, with the given changes. */
export function addColumn(session: Session, after: number, changed: Partial<Pick<Column, 'own' | 'metadata' | 'talk'>> = {}): Session {
  const at = session.columns.findIndex(({ id }) => id === after)
  const original = session.columns[at]
  if (original === undefined || session.columns.length >= mostColumns) return session
  const copy: Column = { ...structuredClone(original), ...changed, id: session.nextId }
  return { ...session, columns: [...session.columns.slice(0, at + 1), copy, ...session.columns.slice(at + 1)], nextId: session.nextId + 1 }
}

/** Removes a column. The messages of the only remaining one become the shared ones. */
export function removeColumn(session: Session, id: number): Session {
  const columns = session.columns.filter((column) => column.id !== id)
  const [only] = columns
  if (only === undefined) return session
  if (columns.length === 1 && only.own !== null) return { ...session, shared: only.own, columns: [{ ...only, own: null }] }
  return { ...session, columns }
}

/** Gives a column a copy of the shared messages to edit separately. */
export function separate(session: Session, id: number): Session {
  return changeColumn(session, id, (column) => ({ ...column, own: structuredClone(scriptOf(session, column)) }))
}

/** Makes a column use the shared messages. If no column does, its own become the shared ones. */
export function share(session: Session, id: number): Session {
  const column = session.columns.find((one) => one.id === id)
  if (column?.own == null) return session
  const unused = session.columns.every(({ own }) => own !== null)
  return { ...changeColumn(session, id, (one) => ({ ...one, own: null })), shared: unused ? column.own : session.shared }
}

/** The messages of all columns as one template, to find its variables. */
export function everything(session: Session): PromptTemplate {
  const scripts = [...new Set(session.columns.map((column) => scriptOf(session, column)))]
  return {
    type: 'chat',
    messages: scripts.flatMap(({ template }): Message[] =>
      template.type === 'chat' ? template.messages : [{ role: 'user', content: template.content, template_format: template.template_format }]),
    tools: scripts.flatMap(({ template }) => (template.type === 'chat' ? (template.tools ?? []) : [])),
  }
}
