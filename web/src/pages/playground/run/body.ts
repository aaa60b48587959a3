import { forPublishing, readModel, type Message, type PromptTemplate } from '@/template/types'
import { readValue } from '@/template/variables'
import { isEdited, scriptOf, type Column, type Session } from '../model/session'

/** The placeholder for the conversation after the messages of the template. */
export const talkVariable = 'playground_conversation'

export interface RunBody {
  prompt_template: PromptTemplate
  metadata: Record<string, unknown>
  input_variables: Record<string, unknown>
  prompt_name?: string
  prompt_version?: number
}

/**
 * The request of a column. The conversation goes into a placeholder, whose
 * messages are not rendered. The log is linked to a version only while the
 * messages are unchanged.
 */
export function runBody(session: Session, column: Column): RunBody {
  const script = scriptOf(session, column)
  const template = forPublishing(script.template)
  const goesOn = template.type === 'chat' && column.talk.length > 0
  return {
    prompt_template: goesOn ? { ...template, messages: [...template.messages, { role: 'placeholder', name: talkVariable }] } : template,
    metadata: column.metadata ?? {},
    input_variables: { ...givenValues(session.values), ...(goesOn ? { [talkVariable]: column.talk.map(sent) } : {}) },
    ...(script.source !== null && !isEdited(script) ? { prompt_name: script.source.name, prompt_version: script.source.version } : {}),
  }
}

/** The typed values; empty ones are omitted. */
function givenValues(values: Record<string, string>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values).filter(([, typed]) => typed !== '').map(([name, typed]) => [name, readValue(typed)]))
}

function sent(message: Message): Message {
  const { role, ...members } = message
  const kept = Object.entries(members).filter(([name]) => name !== 'input_variables' && name !== 'template_format')
  return { role, ...Object.fromEntries(kept) }
}

/** Returns why a column cannot be run, or null. */
export function obstacle(session: Session, column: Column): string | null {
  const model = readModel(column.metadata)
  if (model === null || model.provider === '' || model.name === '') return 'Choose a model first.'
  const { template } = scriptOf(session, column)
  if (template.type === 'chat' && template.messages.length === 0 && column.talk.length === 0) return 'Add a message first.'
  return null
}
