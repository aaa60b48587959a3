import { api, ApiError, call } from '@/api/client'
import { forPublishing, type PromptTemplate } from './types'

export interface Publication {
  name: string
  template: PromptTemplate
  metadata: Record<string, unknown> | null
  message: string
  labels: string[]
  folder?: number | null
  isSnippet?: boolean
}

/** Adds a version to the template with the name, creating the template if necessary. */
export function publish({ name, template, metadata, message, labels, folder, isSnippet }: Publication) {
  return call(
    api.POST('/rest/prompt-templates', {
      body: {
        prompt_template: { prompt_name: name, ...(folder ? { folder_id: folder } : {}), ...(isSnippet === undefined ? {} : { is_snippet: isSnippet }) },
        prompt_version: { prompt_template: forPublishing(template), metadata, commit_message: message.trim() === '' ? null : message.trim() },
        ...(labels.length > 0 ? { release_labels: labels } : {}),
      },
    }),
  )
}

/** Throws if the name is taken. Publishing under an existing name would add a version instead of creating a template. */
export async function refuseTaken(name: string): Promise<void> {
  const { items } = await call(api.GET('/prompt-templates', { params: { query: { name, per_page: 1000 } } }))
  if (items.some((item) => item.prompt_name === name)) throw new ApiError(409, `A prompt named ${name} already exists.`)
}
