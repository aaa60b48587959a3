import { text, type ContentItem, type PromptTemplate, type TemplateFormat } from './types'
import { renderFString, renderPlainJinja } from './variables'

export type Rendered = PromptTemplate

/**
 * Renders an unsaved template with values and snippets. `exact` reports whether
 * the server would return the same.
 */
export function renderDraft(template: PromptTemplate, values: Record<string, unknown>, snippets: Record<string, string>): { rendered: Rendered; exact: boolean } {
  let exact = true
  const item = (one: ContentItem, format: TemplateFormat): ContentItem => {
    if (one.type !== 'text') return one
    const expanded = Object.entries(snippets).reduce((source, [tag, inside]) => source.replaceAll(tag, () => inside), text(one.text))
    if (format === 'f-string') return { ...one, text: renderFString(expanded, values) }
    const written = renderPlainJinja(expanded, values)
    exact &&= written.exact
    return { ...one, text: written.text }
  }
  const rendered: Rendered =
    template.type === 'completion'
      ? { ...template, content: template.content.map((one) => item(one, template.template_format ?? 'f-string')) }
      : { ...template, messages: template.messages.map((message) => ({ ...message, content: message.content?.map((one) => item(one, message.template_format ?? 'f-string')) })) }
  return { rendered, exact }
}
