import { api, call } from '@/api/client'
import { NameDialog } from '@/ui/name-dialog'
import { useToast } from '@/ui/toast'
import { skillPath, useRefreshSkills, type Skill } from '../data'

export function RenameDialog({ skill, onClose }: { skill: Skill; onClose: () => void }) {
  const refresh = useRefreshSkills()
  const toast = useToast()
  const save = async (name: string) => {
    const { skill_collection: renamed } = await call(api.PATCH('/api/public/v2/skill-collections/{identifier}', { params: skillPath(skill.id), body: { name } }))
    toast.done(`${skill.name} renamed to ${renamed.name}`)
    void refresh()
  }
  return <NameDialog title={`Rename ${skill.name}`} description="Files and versions are not changed. Agents that use the old name will no longer find the collection." initial={skill.name} action="Rename" onSave={save} onClose={onClose} />
}
