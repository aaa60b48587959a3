import { useState } from 'react'
import { useMay } from '@/api/session'
import { cn } from '@/lib/cn'
import type { Version } from '@/template/data'
import { ModelForm } from '@/template/editor/model-form'
import { FormatSelect, TemplateEditor } from '@/template/editor/template-editor'
import { ToolsEditor } from '@/template/editor/tools-editor'
import { VariableValues } from '@/template/editor/variable-values'
import { readTemplate } from '@/template/types'
import { Badge } from '@/ui/badge'
import { Button } from '@/ui/button'
import { CodeDiff } from '@/ui/code'
import { Dialog, useConfirm } from '@/ui/dialog'
import { labelTone } from '@/ui/label-tone'
import { Card } from '@/ui/page'
import { Ago } from '@/ui/time'
import { asText } from '../compare/as-text'
import type { Draft } from './draft'
import { Preview } from './preview'
import { SnippetUsage } from './snippet-usage'
import { VersionMenu } from './version-menu'

/** The editor of a version. Saving always creates a new one. */
export function EditorTab({ draft, versions }: { draft: Draft; versions: Version[] }) {
  const mayEdit = useMay('PROMPT_EDIT')
  const [preview, setPreview] = useState(false)
  const [values, setValues] = useState<Record<string, string>>({})
  const { template, base } = draft
  return (
    <div className="grid min-w-0 gap-4 p-4 md:px-5 lg:grid-cols-[minmax(0,1fr)_20rem] xl:grid-cols-[minmax(0,1fr)_24rem]">
      <div className="flex min-w-0 flex-col gap-3">
        <Toolbar draft={draft} versions={versions} preview={preview} onPreview={setPreview} readOnly={!mayEdit} />
        <NewerNotice draft={draft} versions={versions} />
        {preview ? (
          <Preview template={template} values={values} stored={draft.dirty ? null : { prompt: base.id, version: base.version }} />
        ) : (
          <TemplateEditor key={base.version} value={template} onChange={draft.setTemplate} readOnly={!mayEdit} />
        )}
      </div>
      <div className="flex min-w-0 flex-col gap-3">
        <Card title="Variables"><VariableValues template={template} values={values} onChange={setValues} onPreview={preview ? undefined : () => setPreview(true)} /></Card>
        {template.type === 'completion' && <Card title="Used in"><SnippetUsage prompt={base} /></Card>}
        {base.is_snippet && draft.model === null ? null : <Card title="Model"><ModelForm value={draft.model} onChange={draft.setModel} readOnly={!mayEdit} /></Card>}
        {template.type === 'chat' && <Card title="Tools"><ToolsEditor value={template} onChange={(members) => draft.setTemplate({ ...template, ...members })} readOnly={!mayEdit} /></Card>}
      </div>
    </div>
  )
}

function Toolbar({ draft, versions, preview, onPreview, readOnly }: { draft: Draft; versions: Version[]; preview: boolean; onPreview: (on: boolean) => void; readOnly: boolean }) {
  const confirm = useConfirm()
  const [comparing, setComparing] = useState(false)
  const { base } = draft
  const version = versions.find(({ number }) => number === base.version)
  const discard = async () => {
    const yes = await confirm({ title: 'Discard changes?', body: `All your changes since version ${base.version} will be lost.`, action: 'Discard', danger: true })
    if (yes) draft.begin(base)
  }
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
      <VersionMenu versions={versions} current={base.version} />
      {version?.release_labels.map((label) => <Badge key={label.id} tone={labelTone(label.name)}>{label.name}</Badge>)}
      <span className="min-w-0 truncate text-[13px] text-faint">
        {base.commit_message ? `${base.commit_message} · ` : ''}<Ago at={base.created_at} />
      </span>
      <span className="ml-auto flex items-center gap-2 max-md:w-full">
        {/* Always takes its space, so that the first keystroke does not move the text. */}
        <span className={cn('flex shrink-0 items-center gap-2 max-md:mr-auto max-md:gap-0', !draft.dirty && 'invisible')}>
          <Badge tone="warn" className="max-md:hidden">unsaved</Badge>
          <Button small look="quiet" onClick={() => setComparing(true)}>View changes</Button>
          <Button small look="quiet" onClick={() => void discard()}>Discard</Button>
        </span>
        {!preview && <FormatSelect value={draft.template} onChange={draft.setTemplate} readOnly={readOnly} />}
        <Button small aria-pressed={preview} onClick={() => onPreview(!preview)}>{preview ? 'Back to editing' : 'Preview'}</Button>
      </span>
      <Dialog open={comparing} onOpenChange={setComparing} size="wide" title={`Changes since version ${base.version}`}>
        <CodeDiff before={asText(readTemplate(base.prompt_template), base.metadata)} after={asText(draft.template, draft.metadata)} className="max-h-[65dvh]" />
      </Dialog>
    </div>
  )
}

/** Warns that the version is not the latest, or that someone saved one in the meantime. */
function NewerNotice({ draft, versions }: { draft: Draft; versions: Version[] }) {
  const newest = versions[0]
  if (newest === undefined || newest.number <= draft.base.version) return null
  return (
    <p role="status" className="rounded-md border border-transparent bg-info-soft px-3 py-2 text-[13px] text-info">
      You are editing version {draft.base.version}. The latest is version {newest.number}{newest.created_by ? `, by ${newest.created_by}` : ''} (<Ago at={newest.created_at} />). Saving creates version {newest.number + 1} from what you see here.
    </p>
  )
}
