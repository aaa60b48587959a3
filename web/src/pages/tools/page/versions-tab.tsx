import { useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { Play } from 'lucide-react'
import { api, call } from '@/api/client'
import { useMay, useSession } from '@/api/session'
import { useReleaseLabels } from '@/registry/labels'
import { VersionLink } from '@/registry/version-link'
import { Versions } from '@/registry/versions'
import { buttonClass } from '@/ui/button'
import { toolsKey, versionsQuery } from '../data'

const languages: Record<string, string> = { javascript: 'JavaScript', python: 'Python' }

/** All versions, newest first. */
export function VersionsTab({ tool, name }: { tool: number; name: string }) {
  const workspace = useSession().workspace_id
  const { page, version: shown } = useSearch({ from: '/$workspace/tools/$tool' })
  const mayDeploy = useMay('TOOL_DEPLOY')
  const path = (label: string) => ({ path: { tool_id: tool, label } })
  const changes = useReleaseLabels({
    queryKey: toolsKey(workspace),
    point: (label, version) => call(api.PUT('/api/public/v2/tool-registry/{tool_id}/release-labels/{label}', { params: path(label), body: { version_number: version } })),
    remove: (label) => call(api.DELETE('/api/public/v2/tool-registry/{tool_id}/release-labels/{label}', { params: path(label) })),
    users: `Prompts and applications that use ${name} with this label`,
  })
  return (
    <Versions
      answer={useQuery(versionsQuery(workspace, tool, page))}
      shown={shown}
      page={page}
      changes={changes}
      mayDeploy={mayDeploy}
      columns={[
        { header: 'Function', className: 'hidden md:table-cell', cell: ({ function_name }) => <code className="font-mono text-xs">{function_name}</code> },
        { header: 'Code', className: 'hidden text-dim md:table-cell', cell: ({ language }) => (language === null ? <span className="text-faint">none</span> : (languages[language] ?? language)) },
      ]}
      actions={({ number, language }) => language !== null && (
        <VersionLink search={{ tab: 'test', version: number }} className={buttonClass('quiet', true)} title={`Test version ${number}`}><Play /> <span className="sr-only lg:not-sr-only">Test</span></VersionLink>
      )}
    />
  )
}
