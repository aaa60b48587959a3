import { api, call } from '@/api/client'
import { AddDialog } from '@/dataset/add-dialog'
import { ensureDraft } from '@/dataset/groups'
import { LogColumnChoice, useLogColumns } from '@/dataset/log-columns'

/** Adds the request as a row to the draft of a dataset. */
export function AddToDataset({ request, onClose }: { request: number; onClose: () => void }) {
  const { labels, choose, columns } = useLogColumns()
  return (
    <AddDialog
      title="Add to dataset"
      description="Adds the request as a row to the dataset’s draft. If there is no draft, one is created from the latest version."
      action="Add"
      ready={columns.length > 0}
      add={async ({ id, name, created }) => {
        if (!created) await ensureDraft(id)
        await call(api.POST('/api/public/v2/dataset-versions/add-request-log', { body: { dataset_group_id: id, request_log_id: request, columns } }))
        return { notice: `Request ${request} added to the draft of “${name}”`, done: `Added to the draft of “${name}”.` }
      }}
      onClose={onClose}
    >
      <LogColumnChoice labels={labels} choose={choose} />
    </AddDialog>
  )
}
