import { Link, useNavigate } from '@tanstack/react-router'
import { Ellipsis, Play } from 'lucide-react'
import { useState } from 'react'
import { useMay, useSession } from '@/api/session'
import { RenameEntity } from '@/folder/rename-entity'
import type { Prompt, Version } from '@/template/data'
import { Badge } from '@/ui/badge'
import { buttonClass, IconButton } from '@/ui/button'
import { CopyButton } from '@/ui/copy'
import { Menu, MenuItem, MenuSeparator } from '@/ui/menu'
import { BackLink } from '@/ui/page'
import { useFolderActions } from '../list/actions'
import { MoveDialog } from '../list/dialogs'
import type { Draft } from './draft'
import { PromptExternalIds } from './external-ids'
import { PromptInCode } from './prompt-in-code'
import { SaveButton } from './save-button'

export function BackToList() {
  return <BackLink to="/$workspace/prompts">Prompts</BackLink>
}

/** Below the name: the type, id, tags and external ids. */
export function TemplateTitle({ prompt }: { prompt: Prompt }) {
  const kind = prompt.is_snippet ? 'snippet' : prompt.prompt_template.type === 'completion' ? 'completion' : 'chat'
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1 px-4 pt-2 text-[13px] text-faint md:px-5">
      <Badge tone={prompt.is_snippet ? 'info' : 'neutral'}>{kind}</Badge>
      <span className="inline-flex items-center">ID {prompt.id}<CopyButton text={String(prompt.id)} label="Copy ID" /></span>
      <span className="inline-flex items-center">Name<CopyButton text={prompt.is_snippet ? `@@@${prompt.prompt_name}@@@` : prompt.prompt_name} label={prompt.is_snippet ? 'Copy snippet tag' : 'Copy name'} /></span>
      {prompt.tags.map((tag) => <Badge key={tag}>{tag}</Badge>)}
      {prompt.external_ids.map(({ source, external_id }) => <Badge key={`${source}/${external_id}`} title="External ID">{source}: {external_id}</Badge>)}
    </div>
  )
}

type Opened = 'code' | 'external-ids' | 'move' | 'rename'

export function TemplateActions({ prompt, draft, versions }: { prompt: Prompt; draft: Draft; versions: Version[] }) {
  const { workspace_id } = useSession()
  const workspace = String(workspace_id)
  const navigate = useNavigate()
  const mayEdit = useMay('PROMPT_EDIT')
  const mayDelete = useMay('PROMPT_DELETE')
  const { askToDelete } = useFolderActions()
  const [opened, setOpened] = useState<Opened | null>(null)
  const item = { id: prompt.id, name: prompt.prompt_name, type: prompt.is_snippet ? 'SNIPPET' : 'PROMPT' }
  const leave = async () => {
    draft.begin(draft.base)
    await navigate({ to: '/$workspace/prompts', params: { workspace }, search: {}, ignoreBlocker: true })
  }
  return (
    <>
      <Link to="/$workspace/playground" params={{ workspace }} search={{ prompt: prompt.id, version: draft.base.version }} className={buttonClass()}>
        <Play /> Playground
      </Link>
      <SaveButton draft={draft} versions={versions} />
      <Menu trigger={<IconButton label={`Actions for ${prompt.prompt_name}`}><Ellipsis /></IconButton>}>
        <MenuItem onSelect={() => setOpened('code')}>Use in code…</MenuItem>
        <MenuItem onSelect={() => setOpened('external-ids')}>External IDs…</MenuItem>
        {mayEdit && <MenuItem onSelect={() => setOpened('rename')}>Rename…</MenuItem>}
        {mayEdit && <MenuItem onSelect={() => setOpened('move')}>Move to folder…</MenuItem>}
        {mayDelete && (
          <>
            <MenuSeparator />
            <MenuItem danger onSelect={() => void askToDelete(item, leave)}>Delete…</MenuItem>
          </>
        )}
      </Menu>
      {opened === 'code' && <PromptInCode prompt={prompt} onClose={() => setOpened(null)} />}
      {opened === 'external-ids' && <PromptExternalIds prompt={prompt} onClose={() => setOpened(null)} />}
      {opened === 'rename' && <RenameEntity id={prompt.id} name={prompt.prompt_name} noun={prompt.is_snippet ? 'snippet' : 'prompt'} onClose={() => setOpened(null)} />}
      {opened === 'move' && <MoveDialog item={item} from={undefined} onClose={() => setOpened(null)} />}
    </>
  )
}
