import { TemplateEditor } from '@/template/editor/template-editor'
import { ToolsEditor } from '@/template/editor/tools-editor'
import type { PromptTemplate } from '@/template/types'

/** The messages of a prompt, and its tools, collapsed unless there are some. */
export function ScriptEditor({ value, onChange }: { value: PromptTemplate; onChange: (value: PromptTemplate) => void }) {
  const tools = value.type === 'chat' ? (value.tools ?? []).length + (value.functions ?? []).length : 0
  return (
    <>
      <TemplateEditor value={value} onChange={onChange} />
      {value.type === 'chat' && (
        <details className="rounded-lg border border-line bg-surface">
          <summary className="px-3 py-1.5 text-[13px] font-medium text-dim">Tools{tools > 0 && <span className="ml-1.5 text-faint">{tools}</span>}</summary>
          <div className="px-3 pb-3"><ToolsEditor value={value} onChange={(members) => onChange({ ...value, ...members })} /></div>
        </details>
      )}
    </>
  )
}
