import { useMutation, useQuery, useQueryClient, type QueryKey } from '@tanstack/react-query'
import { Plus, X } from 'lucide-react'
import { useState } from 'react'
import { Button, IconButton } from './button'
import { Dialog } from './dialog'
import { Field, Input } from './field'
import { ErrorState, Loading } from './page'
import { useToast } from './toast'

interface Pair {
  source: string
  external_id: string
}

export interface ExternalIdsProps {
  /** The kind of thing, such as "tool". */
  noun: string
  /** The query to reload when the external ids change. */
  queryKey: QueryKey
  list: () => Promise<Pair[]>
  attach: (pair: Pair) => Promise<unknown>
  detach: (pair: Pair) => Promise<unknown>
  mayEdit: boolean
}

/** A dialog with the external ids of one thing. */
export function ExternalIdsDialog({ open, onOpenChange, ...rest }: ExternalIdsProps & { open: boolean; onOpenChange: (open: boolean) => void }) {
  return (
    <Dialog open={open} onOpenChange={onOpenChange} title="External IDs" description={`How other systems identify this ${rest.noun}. Each combination of source and ID can be used only once.`}>
      <ExternalIds {...rest} />
    </Dialog>
  )
}

function ExternalIds({ queryKey, list, attach, detach, mayEdit }: ExternalIdsProps) {
  const queryClient = useQueryClient()
  const toast = useToast()
  const [source, setSource] = useState('')
  const [id, setId] = useState('')
  const ids = useQuery({ queryKey: [...queryKey, 'external-ids'], queryFn: list })
  const changed = () => void queryClient.invalidateQueries({ queryKey })
  const add = useMutation({
    mutationFn: attach,
    onSuccess: (_, pair) => {
      toast.done(`External ID ${pair.external_id} attached`)
      setId('')
      changed()
    },
    onError: toast.failed,
  })
  const remove = useMutation({
    mutationFn: detach,
    onSuccess: (_, pair) => {
      toast.done(`External ID ${pair.external_id} detached`)
      changed()
    },
    onError: toast.failed,
  })
  if (ids.isError) return <ErrorState error={ids.error} />
  if (ids.data === undefined) return <Loading />
  return (
    <div className="flex flex-col gap-4 pb-2">
      {ids.data.length === 0 && <p className="text-faint">No external IDs yet.</p>}
      <ul className="flex flex-col gap-1">
        {ids.data.map((pair) => (
          <li key={`${pair.source} ${pair.external_id}`} className="flex items-center gap-2 rounded border border-line px-2.5 py-1">
            <span className="text-dim">{pair.source}</span>
            <span className="min-w-0 flex-1 truncate font-mono text-[13px]">{pair.external_id}</span>
            {mayEdit && <IconButton small label={`Detach ${pair.external_id}`} onClick={() => remove.mutate(pair)}><X /></IconButton>}
          </li>
        ))}
      </ul>
      {mayEdit && (
        <form
          className="grid grid-cols-[1fr_1fr_auto] items-end gap-2"
          onSubmit={(event) => {
            event.preventDefault()
            add.mutate({ source: source.trim(), external_id: id.trim() })
          }}
        >
          <Field label="Source">{(control) => <Input {...control} required maxLength={128} placeholder="github" value={source} onChange={(event) => setSource(event.target.value)} />}</Field>
          <Field label="ID">{(control) => <Input {...control} required maxLength={512} value={id} onChange={(event) => setId(event.target.value)} />}</Field>
          <Button type="submit" busy={add.isPending}><Plus /> Attach</Button>
        </form>
      )}
    </div>
  )
}
