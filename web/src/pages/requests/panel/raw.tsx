import { useMemo } from 'react'
import type { Schemas } from '@/api/client'
import type { RequestItem } from '@/request/data'
import { CodeEditor } from '@/ui/code'
import { CopyButton } from '@/ui/copy'

/** The request as returned by the API. */
export default function Raw({ detail, item }: { detail: Schemas['GetResponse']; item: RequestItem | null }) {
  const text = useMemo(() => JSON.stringify({ ...detail, log: item }, null, 2), [detail, item])
  return (
    <div className="relative flex min-h-0 flex-1 flex-col">
      <CopyButton text={text} label="Copy JSON" className="absolute top-2 right-4 z-10 bg-surface" />
      <CodeEditor key={detail.request_id} label="Request as JSON" language="json" readOnly lines value={text} className="min-h-0 flex-1 overflow-auto" />
    </div>
  )
}
