import { useNavigate } from '@tanstack/react-router'
import { Ellipsis, Play } from 'lucide-react'
import { useState } from 'react'
import { useMay, useSession } from '@/api/session'
import type { Report } from '@/evaluation/data'
import { Button, IconButton } from '@/ui/button'
import { Menu, MenuItem, MenuSeparator } from '@/ui/menu'
import { useArchive } from './archive'
import { RenameDialog } from './rename-dialog'

/** The actions on an evaluation. */
export function EvaluationActions({ report, columns, onRun }: { report: Report['report']; columns: number; onRun: () => void }) {
  const { workspace_id } = useSession()
  const navigate = useNavigate()
  const mayRun = useMay('REPORT_RUN')
  const mayEdit = useMay('REPORT_EDIT') && !report.deleted
  const mayDelete = useMay('REPORT_DELETE') && !report.deleted
  const archive = useArchive()
  const [renaming, setRenaming] = useState(false)
  const why = report.deleted ? 'This evaluation is archived' : columns === 0 ? 'Add a column first' : !mayRun ? 'Your role does not allow you to run evaluations' : undefined
  const remove = async () => {
    if (await archive(report)) await navigate({ to: '/$workspace/evaluations', params: { workspace: String(workspace_id) }, search: {} })
  }
  return (
    <>
      <span title={why}><Button look="primary" disabled={why !== undefined} onClick={onRun}><Play /> Run</Button></span>
      <Menu trigger={<IconButton label={`Actions for ${report.name}`}><Ellipsis /></IconButton>}>
        {mayEdit && <MenuItem onSelect={() => setRenaming(true)}>Name, tags and comment…</MenuItem>}
        <MenuItem onSelect={() => void navigator.clipboard.writeText(String(report.id))}>Copy ID</MenuItem>
        {mayDelete && (
          <>
            <MenuSeparator />
            <MenuItem danger onSelect={() => void remove()}>Archive…</MenuItem>
          </>
        )}
      </Menu>
      {renaming && <RenameDialog report={report} onClose={() => setRenaming(false)} />}
    </>
  )
}
