import { Download, Tag } from 'lucide-react'
import { api, call } from '@/api/client'
import { useMay, useSession } from '@/api/session'
import { EntityMenu } from '@/registry/menu'
import { MenuItem } from '@/ui/menu'
import { skillKey, skillPath, skillsKey, type Skill } from '../data'
import { RenameDialog } from './rename-dialog'
import { useArchive } from './use-archive'

/** The less common actions on a collection. */
export function SkillMenu({ skill, version, onRelease }: { skill: Skill; /** The shown version, if it is not the latest. */ version: number | undefined; onRelease: (() => void) | null }) {
  const workspace = useSession().workspace_id
  const archive = useArchive(skill)
  const { id, name } = skill
  return (
    <EntityMenu
      entity={{ id, name, type: 'SKILL_COLLECTION', noun: 'collection', list: '/$workspace/skills', queryKey: skillKey(workspace, id), listKey: skillsKey(workspace) }}
      externalIds={{
        list: async () => (await call(api.GET('/api/public/v2/skill-collections/{identifier}/external-ids', { params: skillPath(id) }))).external_ids,
        attach: (pair) => call(api.POST('/api/public/v2/skill-collections/{identifier}/external-ids', { params: skillPath(id), body: pair })),
        detach: (pair) => call(api.DELETE('/api/public/v2/skill-collections/{identifier}/external-ids/{source}/{external_id}', { params: { path: { identifier: id, ...pair } } })),
      }}
      loss="This deletes all versions, files and labels. Agents can no longer pull the collection."
      mayEdit={useMay('SKILL_EDIT')}
      mayDelete={useMay('SKILL_DELETE')}
      rename={(onClose) => <RenameDialog skill={skill} onClose={onClose} />}
    >
      {(renameItem, idsItem) => (
        <>
          <MenuItem onSelect={() => void archive(version)}><Download /> Download as zip</MenuItem>
          {renameItem}
          <MenuItem disabled={onRelease === null} onSelect={() => onRelease?.()}><Tag /> Release latest version</MenuItem>
          {idsItem}
        </>
      )}
    </EntityMenu>
  )
}
