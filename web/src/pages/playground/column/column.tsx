import { Play, Square } from 'lucide-react'
import { useId, useState } from 'react'
import { cn } from '@/lib/cn'
import { Button } from '@/ui/button'
import { isEdited, scriptOf, setScript } from '../model/session'
import { Origin } from '../prompt-pane'
import { useAnswer } from '../run/answers'
import { useMayRun } from '../run/may-run'
import { ScriptEditor } from '../script-editor'
import { ColumnMenu } from './column-menu'
import type { ColumnProps } from './column-props'
import { ModelBar } from './model-bar'
import { Output } from './output'
import { Reply } from './reply'
import { Talk } from './talk'

/** One model with its messages and its answer. */
export function ColumnView({ column, position, playground, onOpen }: ColumnProps) {
  const { session } = playground
  const id = useId()
  const script = scriptOf(session, column)
  const several = session.columns.length > 1
  return (
    <section aria-labelledby={id} className="flex min-w-0 flex-col border-line not-last:max-lg:border-b lg:min-w-76 lg:flex-1 lg:overflow-auto lg:not-last:border-r">
      <header className="sticky top-0 z-10 flex flex-col gap-1.5 border-b border-line bg-surface px-3 py-2">
        <div className="flex items-center gap-2">
          <h2 id={id} className="shrink-0 text-[13px] font-semibold">{several ? `Column ${position}` : 'Answer'}</h2>
          {column.own !== null && <Origin script={script} />}
          <span className="ml-auto flex shrink-0 items-center gap-1">
            {several && <RunColumn column={column} position={position} playground={playground} />}
            <ColumnMenu column={column} position={position} playground={playground} onOpen={onOpen} />
          </span>
        </div>
        <ModelBar column={column} position={position} playground={playground} />
      </header>
      <div className="flex flex-col gap-3 p-3">
        {column.own !== null && <OwnMessages column={column} playground={playground} />}
        <Talk column={column} playground={playground} />
        {/* The latest answer of a conversation has room to grow, and starts at the top. */}
        <div className={cn('flex flex-col gap-3', column.talk.length > 0 && 'min-h-[60dvh]')}>
          <Output column={column} position={position} playground={playground} />
          {script.template.type === 'chat' && <Reply column={column} playground={playground} />}
        </div>
      </div>
    </section>
  )
}

/** The messages of a column with its own ones. They collapse with the first answer, so that answers line up. */
function OwnMessages({ column, playground }: Pick<ColumnProps, 'column' | 'playground'>) {
  const { session, answers, change } = playground
  const script = scriptOf(session, column)
  const answered = useAnswer(answers, column.id) !== null
  const [open, setOpen] = useState(!answered)
  const [seen, setSeen] = useState(answered)
  if (seen !== answered) {
    setSeen(answered)
    setOpen(!answered)
  }
  return (
    <details open={open} onToggle={(event) => setOpen(event.currentTarget.open)} className="rounded-lg border border-line bg-canvas">
      <summary className="px-3 py-1.5 text-[13px] font-medium text-dim">Messages for this column{isEdited(script) ? ', edited' : ''}</summary>
      {open && <div className="flex flex-col gap-2.5 p-2 pt-0"><ScriptEditor value={script.template} onChange={(template) => change((old) => setScript(old, column.id, { ...script, template }))} /></div>}
    </details>
  )
}

function RunColumn({ column, position, playground: { answers, run } }: Pick<ColumnProps, 'column' | 'position' | 'playground'>) {
  const answer = useAnswer(answers, column.id)
  const { mayRun, why } = useMayRun()
  if (answer?.state === 'running') return <Button small aria-label={`Stop column ${position}`} onClick={() => answers.stop(column.id)}><Square /> Stop</Button>
  return <Button small aria-label={`Run column ${position}`} disabled={!mayRun} title={why} onClick={() => run(column.id)}><Play /> Run</Button>
}
