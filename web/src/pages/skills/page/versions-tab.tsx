import { useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { Download } from 'lucide-react'
import { api, call } from '@/api/client'
import { useMay, useSession } from '@/api/session'
import { useReleaseLabels } from '@/registry/labels'
import { Versions } from '@/registry/versions'
import { IconButton } from '@/ui/button'
import { EmptyState } from '@/ui/page'
import { skillsKey, versionsQuery, type Skill } from '../data'
import { useArchive } from './use-archive'

/** All versions, newest first. */
export function VersionsTab({ skill }: { skill: Skill }) {
  const workspace = useSession().workspace_id
  const { page, version: shown } = useSearch({ from: '/$workspace/skills/$skill' })
  const archive = useArchive(skill)
  const mayDeploy = useMay('SKILL_DEPLOY')
  const path = (label: string) => ({ path: { identifier: skill.id, label } })
  const changes = useReleaseLabels({
    queryKey: skillsKey(workspace),
    point: (label, version) => call(api.PUT('/api/public/v2/skill-collections/{identifier}/release-labels/{label}', { params: path(label), body: { version_number: version } })),
    remove: (label) => call(api.DELETE('/api/public/v2/skill-collections/{identifier}/release-labels/{label}', { params: path(label) })),
    users: `Agents that pull ${skill.name} by this label`,
  })
  const versions = useQuery(versionsQuery(workspace, skill.id, page))
  if (versions.data?.total === 0) return <EmptyState title="No versions yet">Save files to create the first version.</EmptyState>
  return (
    <Versions
      answer={versions}
      shown={shown}
      page={page}
      changes={changes}
      mayDeploy={mayDeploy}
      columns={[{ header: 'Files', className: 'tabular hidden text-right md:table-cell', cell: ({ file_count }) => file_count }]}
      actions={({ number }) => <IconButton small label={`Download version ${number} as zip`} onClick={() => void archive(number)}><Download /></IconButton>}
    />
  )
}
