import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Download, Ellipsis, Link2, Pencil, Tag, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { api, call } from '@/api/client'
import { useMay, useSession } from '@/api/session'
import { IconButton } from '@/ui/button'
import { useConfirm } from '@/ui/dialog'
import { ExternalIdsDialog } from '@/ui/external-ids'
import { Menu, MenuItem, MenuSeparator } from '@/ui/menu'
import { useToast } from '@/ui/toast'
import { skillKey, skillPath, useRefreshSkills, type Skill } from '../data'
import { RenameDialog } from './rename-dialog'
import { useArchive } from './use-archive'

/** The less common actions on a collection. */
export function SkillMenu({ skill, version, onRelease }: { skill: Skill; /** The shown version, if it is not the latest. */ version: number | undefined; onRelease: (() => void) | null }) {
  const workspace = useSession().workspace_id
  const mayEdit = useMay('SKILL_EDIT')
  const mayDelete = useMay('SKILL_DELETE')
  const archive = useArchive(skill)
  const remove = useRemove(skill)
  const [open, setOpen] = useState<'rename' | 'ids' | null>(null)
  return (
    <>
      <Menu trigger={<IconButton label="More actions"><Ellipsis /></IconButton>}>
        <MenuItem onSelect={() => void archive(version)}><Download /> Download as zip</MenuItem>
        <MenuItem disabled={!mayEdit} onSelect={() => setOpen('rename')}><Pencil /> Rename</MenuItem>
        <MenuItem disabled={onRelease === null} onSelect={() => onRelease?.()}><Tag /> Release latest version</MenuItem>
        <MenuItem onSelect={() => setOpen('ids')}><Link2 /> External IDs</MenuItem>
        <MenuSeparator />
        <MenuItem danger disabled={!mayDelete} onSelect={() => void remove()}><Trash2 /> Delete collection</MenuItem>
      </Menu>
      {open === 'rename' && <RenameDialog skill={skill} onClose={() => setOpen(null)} />}
      <ExternalIdsDialog
        noun="collection"
        open={open === 'ids'}
        onOpenChange={(next) => setOpen(next ? 'ids' : null)}
        queryKey={skillKey(workspace, skill.id)}
        mayEdit={mayEdit}
        list={async () => (await call(api.GET('/api/public/v2/skill-collections/{identifier}/external-ids', { params: skillPath(skill.id) }))).external_ids}
        attach={(pair) => call(api.POST('/api/public/v2/skill-collections/{identifier}/external-ids', { params: skillPath(skill.id), body: pair }))}
        detach={(pair) => call(api.DELETE('/api/public/v2/skill-collections/{identifier}/external-ids/{source}/{external_id}', { params: { path: { identifier: skill.id, ...pair } } }))}
      />
    </>
  )
}

function useRemove(skill: Skill): () => Promise<void> {
  const workspace = useSession().workspace_id
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  const refresh = useRefreshSkills()
  const toast = useToast()
  const confirm = useConfirm()
  const remove = useMutation({
    mutationFn: () => call(api.DELETE('/api/public/v2/folders/entities', { body: { entities: [{ id: skill.id, type: 'SKILL_COLLECTION' }] } })),
    onSuccess: async () => {
      toast.done(`${skill.name} deleted`)
      await navigate({ to: '/$workspace/skills', params: { workspace: String(workspace) }, search: {}, ignoreBlocker: true })
      queryClient.removeQueries({ queryKey: skillKey(workspace, skill.id) })
      void refresh()
    },
    onError: toast.failed,
  })
  return async () => {
    if (await confirm({ title: `Delete ${skill.name}?`, body: 'This deletes all versions, files and labels. Agents can no longer pull the collection.', action: 'Delete', danger: true })) remove.mutate()
  }
}
