import { Braces, Copy } from 'lucide-react'
import { useState } from 'react'
import { api, call } from '@/api/client'
import { useMay, useSession } from '@/api/session'
import { RenameEntity } from '@/folder/rename-entity'
import { EntityMenu } from '@/registry/menu'
import { MenuItem } from '@/ui/menu'
import { useToast } from '@/ui/toast'
import { workflowKey, workflowsKey } from './data'
import { definitionOf, type Version } from './model/definition'
import { definitionText } from './model/diff'
import { WorkflowInCode } from './workflow-in-code'

/** The less common actions on a workflow. */
export function WorkflowMenu({ version }: { version: Version }) {
  const { workflow_id: id, workflow_name: name } = version
  const workspace = useSession().workspace_id
  const toast = useToast()
  const [coding, setCoding] = useState(false)
  const copy = () => void navigator.clipboard.writeText(definitionText(definitionOf(version))).then(() => toast.done('Definition copied'))
  const path = { workflow_id: id }
  return (
    <>
      <EntityMenu
        entity={{ id, name, type: 'WORKFLOW', noun: 'workflow', list: '/$workspace/workflows', queryKey: workflowKey(workspace, id), listKey: workflowsKey(workspace) }}
        externalIds={{
          list: async () => (await call(api.GET('/workflows/{workflow_id}/external-ids', { params: { path } }))).external_ids,
          attach: (pair) => call(api.POST('/workflows/{workflow_id}/external-ids', { params: { path }, body: pair })),
          detach: (pair) => call(api.DELETE('/workflows/{workflow_id}/external-ids/{source}/{external_id}', { params: { path: { ...path, ...pair } } })),
        }}
        loss="This deletes all versions and labels. The workflow can no longer be run. Completed runs are kept."
        mayEdit={useMay('WORKFLOW_EDIT')}
        mayDelete={useMay('WORKFLOW_DELETE')}
        rename={(onClose) => <RenameEntity id={id} name={name} noun="workflow" onClose={onClose} />}
      >
        {(renameItem, idsItem) => (
          <>
            <MenuItem onSelect={() => setCoding(true)}><Braces /> Use in code…</MenuItem>
            {renameItem}
            {idsItem}
            <MenuItem onSelect={copy}><Copy /> Copy definition</MenuItem>
          </>
        )}
      </EntityMenu>
      {coding && <WorkflowInCode version={version} onClose={() => setCoding(false)} />}
    </>
  )
}
