import { Ellipsis, FolderInput, Server, Trash2 } from 'lucide-react'
import { useMay } from '@/api/session'
import { cn } from '@/lib/cn'
import { bytes, count } from '@/lib/format'
import { Badge } from '@/ui/badge'
import { Button, IconButton } from '@/ui/button'
import { useConfirm } from '@/ui/dialog'
import { FileButton } from '@/ui/file-button'
import { FileDrop } from '@/ui/file-drop'
import { Menu, MenuItem } from '@/ui/menu'
import { EmptyState, ErrorState, Loading } from '@/ui/page'
import { ProgressBar } from '@/ui/progress'
import { Pager, SimpleTable } from '@/ui/table'
import { Ago } from '@/ui/time'
import { useToast } from '@/ui/toast'
import { NotAllowed, Section, useNewWindow, useSectionSearch } from '../section'
import { useDelete, useImports } from './import-data'
import { ImportDialog } from './import-dialog'
import { countsOf, fileProblem, formats, type Import, isActive, rowWords, stateWords, tones } from './import-words'
import { ServerDialog } from './server-dialog'
import { useUpload } from './use-upload'

/** What the browser offers to choose. Endings of compressed files follow those of their content. */
export const accept = '.csv,.tsv,.json,.jsonl,.ndjson,.gz,.zst'

export function ImportsSection() {
  const manages = useMay('MANAGE_DATA')
  if (!manages) return <Section id="imports"><NotAllowed permission="MANAGE_DATA">Only roles that manage data can import requests.</NotAllowed></Section>
  return <Imports />
}

function Imports() {
  const [search, change] = useSectionSearch()
  const [connecting, setConnecting] = useNewWindow()
  const toast = useToast()
  const upload = useUpload()
  const list = useImports(search.page ?? 1)
  const open = async (file: File) => {
    const problem = fileProblem(file)
    if (problem !== null) {
      toast.failed(problem)
      return
    }
    try {
      change({ entry: await upload.begin(file) })
    } catch (error) {
      toast.failed(error)
    }
  }
  const onFile = (file: File) => void open(file)
  const close = async () => {
    if (await upload.leave()) change({ entry: undefined }, true)
  }
  return (
    <Section id="imports" actions={<><Button onClick={() => setConnecting(true)}><Server /> <span className="max-sm:sr-only">Import from server</span></Button><FileButton look="primary" accept={accept} onFile={onFile} /></>}>
      {list.isPending && <Loading />}
      {list.isError && <ErrorState error={list.error} retry={() => void list.refetch()} />}
      {list.data && (
        <div className={cn('rounded-lg border border-line bg-surface', list.isPlaceholderData && 'opacity-60')}>
          {list.data.total > 0 ? <ImportTable imports={list.data.items} onOpen={({ id }) => change({ entry: id })} /> : <NoImports onFile={onFile} />}
          <Pager page={list.data.page} pages={list.data.pages} total={list.data.total} noun="imports" onPage={(page) => change({ page: page === 1 ? undefined : page })} />
        </div>
      )}
      {connecting && <ServerDialog onClose={() => setConnecting(false)} onMade={(id) => change({ new: undefined, entry: id }, true)} />}
      {search.entry === undefined && !connecting && <FileDrop words="Drop a file of requests to import it" onFile={onFile} />}
      {search.entry !== undefined && <ImportDialog key={search.entry} id={search.entry} upload={upload} onClose={() => void close()} />}
    </Section>
  )
}

function NoImports({ onFile }: { onFile: (file: File) => void }) {
  return (
    <EmptyState icon={<FolderInput />} title="No imports" action={<FileButton accept={accept} onFile={onFile}>Choose file</FileButton>}>
      Import requests from exports of this program, of PromptLayer, Langfuse or OpenAI, or from any CSV file. Drop the file here. Or import prompts, workflows, datasets and requests from another server. You can review the changes before anything is imported.
    </EmptyState>
  )
}

function ImportTable({ imports, onOpen }: { imports: Import[]; onOpen: (one: Import) => void }) {
  return (
    <SimpleTable
      label="Imports"
      rows={imports}
      rowKey={({ id }) => id}
      onOpen={onOpen}
      columns={[
        { header: 'Source', cell: (one) => <FileCell one={one} onOpen={onOpen} /> },
        { header: 'State', cell: StateCell },
        { header: 'Imported', cell: rowWords, className: 'hidden sm:table-cell text-right tabular' },
        { header: 'Refused', cell: (one) => <RefusedCell refused={countsOf(one).refused} />, className: 'hidden md:table-cell text-right tabular' },
        { header: 'Created', cell: ({ created_at, created_by }) => <span title={created_by ?? undefined}><Ago at={created_at} /></span>, className: 'hidden sm:table-cell whitespace-nowrap' },
        { header: <span className="sr-only">Actions</span>, cell: (one) => <Actions one={one} />, className: 'w-12 text-right' },
      ]}
    />
  )
}

function FileCell({ one, onOpen }: { one: Import; onOpen: (one: Import) => void }) {
  const format = formats.find(({ value }) => value === one.format)?.label
  return (
    <button type="button" className="block max-w-full text-left" onClick={() => onOpen(one)}>
      <span className="block truncate text-accent-ink hover:underline">{one.file_name}</span>
      <span className="block truncate text-xs text-faint">Import {one.id} · {one.server ? 'from a server' : <>{format && `${format}, `}{bytes(one.size)}</>}</span>
    </button>
  )
}

function StateCell({ state, error, progress }: Import) {
  return (
    <span className="flex items-center gap-2">
      <Badge tone={tones[state]} title={error ?? undefined}>{stateWords(state)}</Badge>
      {isActive({ state }) && <ProgressBar label="Progress" share={progress} className="w-20" />}
    </span>
  )
}

function RefusedCell({ refused }: { refused: number }) {
  return refused > 0 ? <span className="text-bad">{count(refused)}</span> : '0'
}

function Actions({ one }: { one: Import }) {
  const confirm = useConfirm()
  const toast = useToast()
  const remove = useDelete()
  const ask = async () => {
    const ok = await confirm({ title: `Delete import ${one.id}?`, body: one.server ? 'Its report is deleted. What it has imported stays.' : 'Its file and its report are deleted. Requests that it has imported stay.', action: 'Delete', danger: true })
    if (ok) remove.mutate(one.id, { onSuccess: () => toast.done(`Import ${one.id} deleted`), onError: toast.failed })
  }
  return (
    <Menu trigger={<IconButton small label={`Actions for import ${one.id}`}><Ellipsis /></IconButton>}>
      <MenuItem danger disabled={isActive(one)} onSelect={() => void ask()}><Trash2 /> Delete</MenuItem>
    </Menu>
  )
}
