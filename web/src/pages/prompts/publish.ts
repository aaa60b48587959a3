import { api, call } from '@/api/client'
import { forPublishing, type PromptTemplate } from './editor/types'

export interface Publication {
  name: string
  template: PromptTemplate
  metadata: Record<string, unknown> | null
  message: string
  labels: string[]
  folder?: number | null
  isSnippet?: boolean
}

/** Adds a version to the template of the name, which is created when there is none. */
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
