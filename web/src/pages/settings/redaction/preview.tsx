import { Link, useParams } from '@tanstack/react-router'
import type { Schemas } from '@/api/client'
import { count } from '@/lib/format'
import { SimpleTable } from '@/ui/table'

/** What rules would replace in stored requests. */
export function Preview({ preview }: { preview: Schemas['RedactionPreview'] }) {
  const { workspace } = useParams({ from: '/$workspace' })
  if (preview.logs === 0) return <p className="pt-3 text-faint">No requests to test the rule on yet.</p>
  return (
    <section aria-label="Preview" className="flex flex-col gap-2 pt-3">
      <p><strong>{count(preview.changed)}</strong> of the newest {count(preview.logs)} requests would be stored differently.</p>
      {preview.examples.length > 0 && (
        <div className="max-h-80 overflow-auto rounded-lg border border-line">
          <SimpleTable
            label="Examples"
            rows={preview.examples.map((example, index) => ({ ...example, index }))}
            rowKey={({ index }) => index}
            columns={[
              {
                header: 'Request',
                cell: ({ request_id }) => <Link to="/$workspace/requests" params={{ workspace }} search={{ id: request_id }} className="text-accent-ink underline">{request_id}</Link>,
              },
              { header: 'Value', cell: ({ path }) => <code className="font-mono text-xs break-all">{path}</code>, className: 'hidden md:table-cell' },
              { header: 'Found', cell: ({ before }) => <code className="font-mono text-xs break-all">{before}</code> },
              { header: 'Stored', cell: ({ after }) => (after === '' ? <span className="text-faint">nothing</span> : <code className="font-mono text-xs break-all">{after}</code>) },
            ]}
          />
        </div>
      )}
    </section>
  )
}
