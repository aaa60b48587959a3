import { useRef, useState } from 'react'
import { cn } from '@/lib/cn'
import { useConfirm } from '@/ui/dialog'
import { Page } from '@/ui/page'
import { Actions } from './actions'
import { ColumnView } from './column/column'
import { Original } from './column/original'
import { CompareModelDialog } from './dialogs/compare-model'
import { DifferencesDialog } from './dialogs/differences-dialog'
import { SaveDialog } from './dialogs/save-dialog'
import { VersionDialog } from './dialogs/version-dialog'
import { useLeaveGuard, useRunKey } from './keys'
import { addColumn, type Session } from './model/session'
import { Notices } from './notices'
import type { Opened } from './opened'
import { PromptPane } from './prompt-pane'
import type { Answer } from './run/answer'
import { useMayRun } from './run/may-run'
import { usePlayground } from './use-playground'

interface WorkbenchProps {
  session: Session
  answers: Record<string, Answer>
  prefix: string
  seed: string
  /** When the user left the page, for a continued session. */
  leftAt?: number
  /** The request log that the session started from. */
  request?: number
  onStartOver: () => void
}

export function Workbench({ leftAt, request, onStartOver, ...beginning }: WorkbenchProps) {
  const playground = usePlayground(beginning)
  const { session, change } = playground
  const [opened, setOpened] = useState<Opened | null>(null)
  const column = session.columns.find(({ id }) => id === opened?.column)
  const close = () => setOpened(null)
  const { mayRun } = useMayRun()
  const confirm = useConfirm()
  const startOver = async () => {
    const yes = await confirm({
      title: 'Start over?',
      body: 'All messages, values and answers on this page will be lost. Saved prompts and logged requests are kept.',
      action: 'Start over',
      danger: true,
    })
    if (!yes) return
    playground.discard()
    onStartOver()
  }
  const columns = useRef<HTMLDivElement>(null)
  const run = () => {
    playground.run()
    // On phones the answers are further down.
    if (window.matchMedia('(max-width: 1023px)').matches) columns.current?.scrollIntoView({ block: 'start' })
  }
  useRunKey(() => mayRun && run())
  useLeaveGuard(!playground.kept)
  const several = session.columns.length > 1 || request !== undefined
  const sharing = session.columns.some(({ own }) => own === null)
  return (
    <Page title="Playground" fill className="overflow-auto lg:overflow-hidden" actions={<Actions playground={playground} request={request} onRun={run} onOpen={setOpened} onStartOver={() => void startOver()} />}>
      <Notices playground={playground} leftAt={leftAt} request={request} onStartOver={() => void startOver()} />
      <div className="flex min-h-0 min-w-0 flex-col lg:flex-1 lg:flex-row">
        <PromptPane playground={playground} className={cn('shrink-0 border-line lg:overflow-auto lg:border-r', !several ? 'lg:w-1/2' : sharing ? (session.columns.length > 2 ? 'lg:w-80 2xl:w-96' : 'lg:w-96 2xl:w-[30rem]') : 'lg:w-72')} />
        {/* Columns that do not fit scroll here; on phones they are stacked. */}
        <div ref={columns} className="flex min-w-0 flex-col max-lg:min-h-[85dvh] max-lg:border-t max-lg:border-line lg:flex-1 lg:flex-row lg:overflow-x-auto">
          {request !== undefined && <Original request={request} />}
          {session.columns.map((one, index) => (
            <ColumnView key={one.id} column={one} position={index + 1} playground={playground} onOpen={setOpened} />
          ))}
        </div>
      </div>
      {opened?.window === 'model' && column && <CompareModelDialog column={column} onChoose={(metadata) => change((old) => addColumn(old, column.id, { metadata }))} onClose={close} />}
      {opened?.window === 'version' && column && (
        <VersionDialog
          title="Compare with a version"
          action="Add column"
          source={(column.own ?? session.shared).source}
          onChoose={({ script, metadata }) => change((old) => addColumn(old, column.id, { own: script, metadata: metadata ?? column.metadata, talk: [] }))}
          onClose={close}
        />
      )}
      {opened?.window === 'differences' && <DifferencesDialog playground={playground} request={request} onClose={close} />}
      {opened?.window === 'save' && column && <SaveDialog column={column} playground={playground} onClose={close} />}
    </Page>
  )
}
