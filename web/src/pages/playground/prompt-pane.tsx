import { Link } from '@tanstack/react-router'
import { Database } from 'lucide-react'
import { useMemo, useState } from 'react'
import { useSession } from '@/api/session'
import { cn } from '@/lib/cn'
import { VariableValues } from '@/template/editor/variable-values'
import { templateSnippets, templateVariables } from '@/template/variables'
import { Badge } from '@/ui/badge'
import { Button } from '@/ui/button'
import { Select } from '@/ui/field'
import { useSnippetMessages } from './data'
import { RowDialog } from './dialogs/row-dialog'
import { everything, isEdited, type Script } from './model/session'
import { asKind } from './model/start'
import { ScriptEditor } from './script-editor'
import type { Playground } from './use-playground'

/** What all columns share: the messages, unless each has its own, and the values of the variables. */
export function PromptPane({ playground, className }: { playground: Playground; className?: string }) {
  const { session, change } = playground
  const sharing = session.columns.some(({ own }) => own === null)
  return (
    <section aria-label="Prompt" tabIndex={-1} className={cn('flex flex-col gap-4 p-4 focus:outline-none', className)}>
      {sharing && (
        <div className="flex flex-col gap-2.5">
          <header className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <h2 className="text-[13px] font-semibold">{session.columns.length > 1 ? 'Shared messages' : 'Messages'}</h2>
            <Origin script={session.shared} />
            {session.shared.source === null && (
              <Select
                aria-label="Prompt type"
                className="ml-auto h-7 text-[13px]"
                value={session.shared.template.type}
                onChange={(event) => change((old) => ({ ...old, shared: { ...old.shared, template: asKind(old.shared.template, event.target.value === 'chat' ? 'chat' : 'completion') } }))}
              >
                <option value="chat">Chat</option>
                <option value="completion">Completion</option>
              </Select>
            )}
          </header>
          <ScriptEditor value={session.shared.template} onChange={(template) => change((old) => ({ ...old, shared: { ...old.shared, template } }))} />
        </div>
      )}
      <Variables playground={playground} />
    </section>
  )
}

/** The version that messages came from, and whether they were edited since. */
export function Origin({ script }: { script: Script }) {
  const { workspace_id: workspace } = useSession()
  const { source } = script
  if (source === null) return null
  return (
    <span className="inline-flex min-w-0 items-center gap-1.5 text-[13px]">
      <Link to="/$workspace/prompts/$prompt" params={{ workspace: String(workspace), prompt: String(source.prompt) }} search={{ version: source.version }} className="truncate text-accent-ink hover:underline" title={`${source.name}, version ${source.version}`}>
        {source.name} v{source.version}
      </Link>
      {isEdited(script) && <Badge tone="warn" title="Edited since it was published. Runs are not linked to the version.">edited</Badge>}
    </span>
  )
}

function Variables({ playground: { session, change } }: { playground: Playground }) {
  const [choosing, setChoosing] = useState(false)
  const written = useMemo(() => everything(session), [session])
  const snippets = useSnippetMessages(templateSnippets(written))
  const template = written.type === 'chat' ? { ...written, messages: [...written.messages, ...snippets] } : written
  const names = templateVariables(template)
  const setValues = (values: Record<string, string>) => change((old) => ({ ...old, values }))
  return (
    <div className="flex flex-col gap-2">
      <header className="flex h-7 items-center justify-between gap-2">
        <h2 className="text-[13px] font-semibold">Variables</h2>
        {names.length > 0 && <Button small look="quiet" onClick={() => setChoosing(true)}><Database /> Use dataset row</Button>}
      </header>
      <VariableValues template={template} values={session.values} onChange={setValues} />
      {choosing && <RowDialog names={names} onChoose={(found) => setValues({ ...session.values, ...found })} onClose={() => setChoosing(false)} />}
    </div>
  )
}
