import { useMemo } from 'react'
import { Select } from '@/ui/field'
import type { PromptTemplate, TemplateFormat } from '../types'
import { templateVariables } from '../variables'
import { ContentEditor } from './content-editor'
import { MessagesEditor } from './messages-editor'

/** The content of a template: its messages, or the text of a completion. */
export function TemplateEditor({ value, onChange, readOnly }: { value: PromptTemplate; onChange: (value: PromptTemplate) => void; readOnly?: boolean }) {
  const variables = useMemo(() => templateVariables(value), [value])
  if (value.type === 'chat') return <MessagesEditor value={value.messages} onChange={(messages) => onChange({ ...value, messages })} readOnly={readOnly} />
  return (
    <div className="rounded-lg border border-line bg-surface p-2">
      <ContentEditor
        value={value.content}
        onChange={(content) => onChange({ ...value, content })}
        format={value.template_format ?? 'f-string'}
        label="Text"
        variables={variables}
        readOnly={readOnly}
        placeholder="Enter text. Use @@@ for a snippet."
      />
    </div>
  )
}

/** The template format of all messages, or "mixed". */
export function FormatSelect({ value, onChange, readOnly }: { value: PromptTemplate; onChange: (value: PromptTemplate) => void; readOnly?: boolean }) {
  const formats = new Set(value.type === 'chat' ? value.messages.map((message) => message.template_format ?? 'f-string') : [value.template_format ?? 'f-string'])
  const current = formats.size > 1 ? 'mixed' : ([...formats][0] ?? 'f-string')
  const set = (format: TemplateFormat) =>
    onChange(value.type === 'chat' ? { ...value, messages: value.messages.map((message) => ({ ...message, template_format: format })) } : { ...value, template_format: format })
  return (
    <Select aria-label="Template format" title="Template format" className="h-7 text-[13px]" disabled={readOnly} value={current} onChange={(event) => set(event.target.value as TemplateFormat)}>
      {current === 'mixed' && <option value="mixed" disabled>Mixed formats</option>}
      <option value="f-string">{'f-string {name}'}</option>
      <option value="jinja2">{'jinja2 {{ name }}'}</option>
    </Select>
  )
}
