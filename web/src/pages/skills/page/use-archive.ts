import { download } from '@/lib/download'
import { useToast } from '@/ui/toast'
import { pullArchive, type Skill } from '../data'

/** Returns a function that downloads a version, or the latest one. */
export function useArchive(skill: Skill): (version?: number) => Promise<void> {
  const toast = useToast()
  return async (version) => {
    try {
      download(`${skill.name}${version === undefined ? '' : `-v${version}`}.zip`, await pullArchive(skill.id, version))
    } catch (error) {
      toast.failed(error)
    }
  }
}
