import { useNavigate } from '@tanstack/react-router'
import { Columns2, FolderOpen, Play, RotateCcw, Save, Square } from 'lucide-react'
import { useState } from 'react'
import { useMay, useSession } from '@/api/session'
import { readModel } from '@/template/types'
import { Button, IconButton } from '@/ui/button'
import { Menu, MenuItem, MenuLabel, MenuSeparator } from '@/ui/menu'
import { VersionDialog } from './dialogs/version-dialog'
import { addColumn, mostColumns } from './model/session'
import type { Opened } from './opened'
import { useAnswered, useRunning } from './run/answers'
import { useMayRun } from './run/may-run'
import type { Playground } from './use-playground'

export function Actions({ playground, request, onRun, onOpen, onStartOver }: { playground: Playground; request?: number; onRun: () => void; onOpen: (opened: Opened) => void; onStartOver: () => void }) {
  const { workspace_id: workspace } = useSession()
  const navigate = useNavigate()
  const [choosing, setChoosing] = useState(false)
  return (
    <>
      <IconButton label="Start over" onClick={onStartOver}><RotateCcw /></IconButton>
      <Button onClick={() => setChoosing(true)}><FolderOpen /> <span className="max-sm:sr-only">Open prompt</span></Button>
      <AddColumn playground={playground} request={request} onOpen={onOpen} />
      <SaveButton playground={playground} onOpen={onOpen} />
      <RunButton playground={playground} onRun={onRun} />
      {choosing && (
        <VersionDialog
          title="Open prompt"
          action="Open"
          source={null}
          onChoose={({ script }) => void navigate({ to: '/$workspace/playground', params: { workspace: String(workspace) }, search: { prompt: script.source?.prompt, version: script.source?.version } })}
          onClose={() => setChoosing(false)}
        />
      )}
    </>
  )
}

/** Saves the only column, or asks which one. */
function SaveButton({ playground: { session: { columns } }, onOpen }: { playground: Playground; onOpen: (opened: Opened) => void }) {
  const mayEdit = useMay('PROMPT_EDIT')
  const save = (column: number) => onOpen({ window: 'save', column })
  const [only] = columns
  const inner = <><Save /> <span className="max-sm:sr-only">Save…</span></>
  const look = { disabled: !mayEdit, title: mayEdit ? 'Save as a version or a new prompt' : 'Your role does not allow you to edit prompts' }
  if (columns.length === 1 && only !== undefined) return <Button {...look} onClick={() => save(only.id)}>{inner}</Button>
  return (
    <Menu trigger={<Button {...look}>{inner}</Button>}>
      {columns.map(({ id, metadata }, index) => <MenuItem key={id} onSelect={() => save(id)}>Column {index + 1} <span className="ml-auto pl-4 text-xs text-faint">{readModel(metadata)?.name}</span></MenuItem>)}
    </Menu>
  )
}

function AddColumn({ playground: { session, answers, change }, request, onOpen }: { playground: Playground; request?: number; onOpen: (opened: Opened) => void }) {
  const last = session.columns.at(-1)
  const answered = useAnswered(answers)
  if (last === undefined) return null
  const full = session.columns.length >= mostColumns
  return (
    <Menu trigger={<Button><Columns2 /> <span className="max-sm:sr-only">Compare</span></Button>}>
      {full && <MenuLabel>Up to {mostColumns} columns</MenuLabel>}
      <MenuItem disabled={full} onSelect={() => onOpen({ window: 'model', column: last.id })}>Add another model…</MenuItem>
      <MenuItem disabled={full} onSelect={() => onOpen({ window: 'version', column: last.id })}>Add a prompt version…</MenuItem>
      <MenuItem disabled={full} onSelect={() => change((old) => addColumn(old, last.id))}>Duplicate column</MenuItem>
      <MenuSeparator />
      <MenuItem disabled={answered + (request === undefined ? 0 : 1) < 2} onSelect={() => onOpen({ window: 'differences', column: last.id })}>Compare answers…</MenuItem>
    </Menu>
  )
}

const keyWords = navigator.platform.startsWith('Mac') ? '⌘ ↵' : 'Ctrl ↵'

function RunButton({ playground: { session, answers }, onRun }: { playground: Playground; onRun: () => void }) {
  const running = useRunning(answers)
  const { mayRun, why } = useMayRun()
  if (running) return <Button look="danger" onClick={() => answers.stopAll()}><Square /> Stop</Button>
  return (
    <span title={why}>
      <Button look="primary" disabled={!mayRun} onClick={onRun}>
        <Play /> {session.columns.length > 1 ? 'Run all' : 'Run'} <kbd className="font-sans text-xs font-normal max-sm:hidden">{keyWords}</kbd>
      </Button>
    </span>
  )
}
