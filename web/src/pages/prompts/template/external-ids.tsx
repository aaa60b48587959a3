import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Trash2 } from 'lucide-react'
import { useState, type FormEvent } from 'react'
import { api, call } from '@/api/client'
import { useMay, useSession } from '@/api/session'
import { promptsKey, type Prompt } from '@/template/data'
import { Button, IconButton } from '@/ui/button'
import { Dialog, useConfirm } from '@/ui/dialog'
import { Field, Input } from '@/ui/field'
import { useToast } from '@/ui/toast'

/** The ids that other systems have for the template. */
export function ExternalIdsDialog({ prompt, onClose }: { prompt: Prompt; onClose: () => void }) {
  const { workspace_id: workspace } = useSession()
  const queryClient = useQueryClient()
  const mayEdit = useMay('PROMPT_EDIT')
  const toast = useToast()
  const confirm = useConfirm()
  const [source, setSource] = useState('')
  const [id, setId] = useState('')
  const refresh = () => queryClient.invalidateQueries({ queryKey: promptsKey(workspace) })
  const attach = useMutation({
    mutationFn: () => call(api.POST('/prompt-templates/{prompt_template_id}/external-ids', { params: { path: { prompt_template_id: prompt.id } }, body: { source: source, external_id: id } })),
    onSuccess: async () => {
      toast.done(`${source}: ${id} was attached`)
      setId('')
      await refresh()
    },
  })
  const detach = useMutation({
    mutationFn: (pair: { source: string; external_id: string }) => call(api.DELETE('/prompt-templates/{prompt_template_id}/external-ids/{source}/{external_id}', { params: { path: { prompt_template_id: prompt.id, ...pair } } })),
    onSuccess: refresh,
    onError: toast.failed,
  })
  const askToDetach = async (pair: { source: string; external_id: string }) => {
    const yes = await confirm({ title: `Delete the external id ${pair.external_id}?`, body: `${pair.source} no longer finds ${prompt.prompt_name} by it.`, action: 'Delete', danger: true })
    if (yes) detach.mutate({ source: pair.source, external_id: pair.external_id })
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    attach.mutate()
  }
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()} title="External ids" description="Names that other systems have for this prompt. Each belongs to one thing only.">
      {prompt.external_ids.length === 0 && <p className="py-2 text-dim">There are none yet.</p>}
      <ul className="flex flex-col">
        {prompt.external_ids.map((pair) => (
          <li key={`${pair.source}/${pair.external_id}`} className="flex items-center gap-3 border-b border-line py-1.5">
            <span className="text-dim">{pair.source}</span>
            <span className="min-w-0 flex-1 truncate font-mono text-xs">{pair.external_id}</span>
            {mayEdit && <IconButton small label={`Delete ${pair.source}: ${pair.external_id}`} onClick={() => void askToDetach(pair)}><Trash2 /></IconButton>}
          </li>
        ))}
      </ul>
      {mayEdit && (
        <form onSubmit={submit} className="mt-3 grid items-start gap-2 sm:grid-cols-[1fr_1.5fr_auto]">
          <Field label="System">{(control) => <Input {...control} maxLength={128} placeholder="cms" value={source} onChange={(event) => setSource(event.target.value)} />}</Field>
          <Field label="Id there" error={attach.error?.message}>{(control) => <Input {...control} maxLength={512} placeholder="article-17" value={id} onChange={(event) => setId(event.target.value)} />}</Field>
          <Button type="submit" className="sm:mt-6" busy={attach.isPending} disabled={source === '' || id === ''}>Attach</Button>
        </form>
      )}
    </Dialog>
  )
}
