import { useNavigate, useSearch } from '@tanstack/react-router'
import { FilePlus2, FileUp, FolderUp, Undo2 } from 'lucide-react'
import { useState } from 'react'
import { IconButton, Button } from '@/ui/button'
import { useConfirm } from '@/ui/dialog'
import { EmptyState } from '@/ui/page'
import { useToast } from '@/ui/toast'
import { readChosen, type Chosen } from '../files/chosen'
import { chooseFiles } from '../files/choose'
import { DropArea } from '../files/drop-area'
import { isAt, type Files, type FileState } from '../files/draft'
import { importPath } from '../files/layout'
import { firstFile, folderOf } from '../files/tree'
import { FileTree } from './file-tree'
import { FileView } from './file-view'
import { PathDialog } from './path-dialog'
import type { Draft } from './use-draft'

type Asking = { what: 'add'; folder: string } | { what: 'move'; path: string }

/** The files of a version: the tree and the open file. */
export function FilesTab({ files, draft }: { files: Files; /** The draft for edits; null in read-only versions. */ draft: Draft | null }) {
  const { file } = useSearch({ from: '/$workspace/skills/$skill' })
  const navigate = useNavigate({ from: '/$workspace/skills/$skill' })
  const [asking, setAsking] = useState<Asking | null>(null)
  const edit = useEdits(draft)
  const paths = Object.keys(files)
  const states: Record<string, FileState> = draft?.dirty ? draft.states : {}
  const open = file !== undefined && files[file] !== undefined ? file : firstFile(paths)
  const show = (path: string) => void navigate({ search: (old) => ({ ...old, file: path }) })
  const actions = draft === null ? undefined : { onAdd: (folder: string) => setAsking({ what: 'add', folder }), onMove: (path: string) => setAsking({ what: 'move', path }), onRemove: (path: string) => void edit.remove(path) }
  return (
    <div className="flex min-h-0 flex-1 flex-col md:flex-row">
      <nav aria-label="Files" className="flex max-h-60 shrink-0 flex-col border-b border-line md:max-h-none md:w-64 md:border-r md:border-b-0">
        {draft !== null && (
          <div className="flex items-center gap-1 border-b border-line px-2 py-1">
            <Button small look="quiet" onClick={() => setAsking({ what: 'add', folder: open === undefined ? '' : folderOf(open) })}><FilePlus2 /> New file</Button>
            <span className="ml-auto flex">
              <IconButton small label="Add files or a zip archive" onClick={() => void chooseFiles().then(edit.add)}><FileUp /></IconButton>
              <IconButton small label="Add folder" onClick={() => void chooseFiles({ folder: true }).then(edit.add)}><FolderUp /></IconButton>
            </span>
          </div>
        )}
        <div className="min-h-0 flex-1 overflow-auto p-2">
          <FileTree paths={paths} open={open} states={states} actions={actions} />
          {draft?.dirty && <Removed draft={draft} />}
        </div>
      </nav>
      <div className="min-h-80 min-w-0 flex-1 bg-surface md:min-h-0">
        {open === undefined ? (
          <EmptyState title="No files">{draft === null ? 'This version has no files.' : 'Create a file, or drop files, a folder or a zip archive on this page.'}</EmptyState>
        ) : (
          <FileView
            key={open}
            path={open}
            content={files[open] ?? ''}
            state={states[open]}
            paths={paths}
            actions={draft === null ? undefined : {
              onChange: (content) => draft.put([{ path: open, content }]),
              onMove: () => setAsking({ what: 'move', path: open }),
              onReplace: () => void chooseFiles().then((chosen) => edit.replace(open, chosen)),
              onRemove: () => void edit.remove(open),
              onRevert: () => draft.revert(open),
            }}
          />
        )}
      </div>
      {draft !== null && asking === null && <DropArea words="Drop files, a folder or a zip archive to add them to the draft" onFiles={(chosen) => void edit.add(chosen)} />}
      {draft !== null && asking !== null && (
        <PathDialog
          title={asking.what === 'add' ? 'New file' : `Rename or move ${asking.path}`}
          action={asking.what === 'add' ? 'Add' : 'Move'}
          begin={asking.what === 'move' ? asking.path : asking.folder === '' ? '' : asking.folder + '/'}
          moving={asking.what === 'move' ? asking.path : undefined}
          files={draft.files}
          onClose={() => setAsking(null)}
          onDone={(path) => {
            if (asking.what === 'add') draft.put([{ path, content: '' }])
            else draft.move(asking.path, path)
            setAsking(null)
            if (asking.what === 'add') show(path)
            else if (open !== undefined && isAt(open, asking.path)) show(path + open.slice(asking.path.length))
          }}
        />
      )}
    </div>
  )
}

/** Edits that read files or ask for confirmation. */
function useEdits(draft: Draft | null) {
  const toast = useToast()
  const confirm = useConfirm()
  const add = async (chosen: Chosen[]) => {
    if (chosen.length === 0 || draft === null) return
    try {
      const files = (await readChosen(chosen)).map(({ path, content }) => ({ path: importPath(path), content }))
      const lost = files.filter(({ path, content }) => draft.states[path] !== undefined && draft.files[path] !== undefined && draft.files[path].content !== content).map(({ path }) => path)
      if (lost.length > 0 && !(await confirm({ title: 'Replace unsaved edits?', body: `The new files replace your edits in ${lost.slice(0, 5).join(', ')}${lost.length > 5 ? ` and ${lost.length - 5} more` : ''}.`, action: 'Replace', danger: true }))) return
      draft.put(files)
      toast.done(`${files.length === 1 ? (files[0]?.path ?? '1 file') : `${files.length} files`} added to the draft. Save to create a version.`)
    } catch (error) {
      toast.failed(error)
    }
  }
  const replace = async (path: string, [first]: Chosen[]) => {
    if (first === undefined || draft === null) return
    try {
      const [read] = await readChosen([{ path, file: new File([first.file], 'content') }])
      if (read) draft.put([{ path, content: read.content }])
    } catch (error) {
      toast.failed(error)
    }
  }
  const remove = async (path: string) => {
    if (draft === null) return
    const number = Object.keys(draft.files).filter((one) => isAt(one, path)).length
    const added = draft.states[path] === 'added'
    const folder = number > 1 || draft.files[path] === undefined
    // A saved file can be restored in the draft; ask only for a folder or an unsaved file.
    if ((folder || added) && !(await confirm({ title: `Delete ${path}?`, body: folder ? `This deletes ${number} ${number === 1 ? 'file' : 'files'} from the draft. Saved versions are not changed.` : 'The file has not been saved, so it cannot be restored.', action: 'Delete', danger: true }))) return
    draft.remove(path)
  }
  return { add, replace, remove }
}

/** The files that are deleted in the draft. */
function Removed({ draft }: { draft: Draft }) {
  const removed = Object.keys(draft.states).filter((path) => draft.states[path] === 'removed')
  if (removed.length === 0) return null
  return (
    <section className="mt-3 border-t border-line pt-2">
      <h2 className="px-1.5 pb-1 text-xs font-medium text-faint">Deleted in draft</h2>
      <ul>
        {removed.map((path) => (
          <li key={path} className="flex items-center gap-1 pl-1.5 text-[13px]">
            <span className="min-w-0 flex-1 truncate text-faint line-through">{path}</span>
            <IconButton small label={`Restore ${path}`} onClick={() => draft.revert(path)}><Undo2 /></IconButton>
          </li>
        ))}
      </ul>
    </section>
  )
}
