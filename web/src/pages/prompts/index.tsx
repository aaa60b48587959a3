import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { Folder as FolderIcon, MessageSquareText, Plus, Search as SearchIcon } from 'lucide-react'
import { useState } from 'react'
import { useMay, useSession } from '@/api/session'
import { foldersQuery, type Folder } from '@/folder/data'
import { folderPath } from '@/folder/tree'
import { entitiesQuery } from '@/template/data'
import { Button } from '@/ui/button'
import { List } from '@/ui/list'
import { Menu, MenuItem } from '@/ui/menu'
import { EmptyState, Page } from '@/ui/page'
import type { Item } from './list/actions'
import { CreateDialog, type NewKind } from './list/create-dialog'
import { FolderDialog, MoveDialog } from './list/dialogs'
import { FirstPrompt } from './list/first-prompt'
import { FolderTree } from './list/folder-tree'
import { PromptTable } from './list/prompt-table'

/** The dialog that is open over the list. */
type Opened =
  | { kind: 'create'; what: NewKind }
  | { kind: 'folder'; parent?: Folder; folder?: Folder }
  | { kind: 'move'; item: Item; from: number | null }

export default function PromptsPage() {
  const { workspace_id: workspace } = useSession()
  const search = useSearch({ from: '/$workspace/prompts' })
  const navigate = useNavigate({ from: '/$workspace/prompts' })
  const mayCreate = useMay('PROMPT_CREATE')
  const folders = useQuery(foldersQuery(workspace)).data ?? []
  const [opened, setOpened] = useState<Opened | null>(null)
  const [showFolders, setShowFolders] = useState(false)
  const path = folderPath(folders, search.folder)
  const answer = useQuery(entitiesQuery(workspace, { folder: search.folder, q: search.q, sort: search.sort ?? 'updated' }))
  // Folders come first, whatever the sort order.
  const rows = answer.data && [...answer.data.filter(({ type }) => type === 'FOLDER'), ...answer.data.filter(({ type }) => type !== 'FOLDER')]
  const tree = (
    <FolderTree
      folders={folders}
      current={search.folder}
      onCreate={(parent) => setOpened({ kind: 'folder', parent })}
      onRename={(folder) => setOpened({ kind: 'folder', folder })}
      onMove={(item) => setOpened({ kind: 'move', item, from: folders.find(({ id }) => id === item.id)?.parent_id ?? null })}
    />
  )
  return (
    <Page
      fill
      title="Prompts"
      actions={
        mayCreate && (
          <Menu trigger={<Button look="primary"><Plus /> New</Button>}>
            <MenuItem onSelect={() => setOpened({ kind: 'create', what: 'chat' })}>Prompt</MenuItem>
            <MenuItem onSelect={() => setOpened({ kind: 'create', what: 'snippet' })}>Snippet</MenuItem>
            <MenuItem onSelect={() => setOpened({ kind: 'folder', parent: path.at(-1) })}>Folder</MenuItem>
          </Menu>
        )
      }
    >
      <div className="flex min-h-0 flex-1 flex-col md:flex-row">
        <aside className="hidden w-60 shrink-0 overflow-auto border-r border-line md:block" tabIndex={0} aria-label="Folder tree">{tree}</aside>
        <div className="min-h-0 min-w-0 flex-1 overflow-auto" tabIndex={-1}>
          <List
            noun="prompts"
            rowNoun="entries"
            placeholder="Search names and content"
            answer={{ ...answer, data: rows }}
            search={search}
            onSearch={(change, replace) => void navigate({ search: (old) => ({ ...old, page: undefined, ...change }), replace })}
            sorts
            perPage={50}
            before={<Button small className="md:hidden" aria-expanded={showFolders} onClick={() => setShowFolders(!showFolders)}><FolderIcon /> Folders</Button>}
            below={
              <>
                {showFolders && <div className="border-b border-line bg-surface md:hidden">{tree}</div>}
                <Crumbs path={path} />
              </>
            }
            empty={<Nothing inFolder={search.folder !== undefined} onCreate={mayCreate ? () => setOpened({ kind: 'create', what: 'chat' }) : undefined} />}
            nothing={<EmptyState title="No results" icon={<SearchIcon />}>No prompt name or latest version contains “{search.q}”.</EmptyState>}
          >
            {(shown) => <PromptTable rows={shown} showPath={search.q !== undefined} onMove={(item, from) => setOpened({ kind: 'move', item, from })} />}
          </List>
        </div>
      </div>
      {opened?.kind === 'create' && <CreateDialog kind={opened.what} folder={search.folder ?? null} onClose={() => setOpened(null)} />}
      {opened?.kind === 'folder' && <FolderDialog parent={opened.parent} folder={opened.folder} onClose={() => setOpened(null)} />}
      {opened?.kind === 'move' && <MoveDialog item={opened.item} from={opened.from} onClose={() => setOpened(null)} />}
    </Page>
  )
}

function Nothing({ inFolder, onCreate }: { inFolder: boolean; onCreate?: () => void }) {
  if (!inFolder) return <FirstPrompt onCreate={onCreate} />
  return <EmptyState title="This folder is empty" icon={<MessageSquareText />} action={onCreate && <Button onClick={onCreate}><Plus /> New prompt here</Button>}>Create a prompt here, or drag prompts into this folder.</EmptyState>
}

function Crumbs({ path }: { path: Folder[] }) {
  const { workspace_id } = useSession()
  if (path.length === 0) return null
  const workspace = String(workspace_id)
  return (
    <nav aria-label="Breadcrumb" className="flex flex-wrap items-center gap-1 px-4 pt-2 text-[13px] text-faint">
      <Link to="/$workspace/prompts" params={{ workspace }} search={{}} className="hover:text-ink hover:underline">All prompts</Link>
      {path.map((folder) => (
        <span key={folder.id}>
          / <Link to="/$workspace/prompts" params={{ workspace }} search={{ folder: folder.id }} className="hover:text-ink hover:underline">{folder.name}</Link>
        </span>
      ))}
    </nav>
  )
}
