import { api, call } from '@/api/client'
import { useMay, useSession } from '@/api/session'
import { promptsKey, type Prompt } from '@/template/data'
import { ExternalIdsDialog } from '@/ui/external-ids'

/** The external IDs of a prompt. */
export function PromptExternalIds({ prompt, onClose }: { prompt: Prompt; onClose: () => void }) {
  const { workspace_id: workspace } = useSession()
  const path = { prompt_template_id: prompt.id }
  return (
    <ExternalIdsDialog
      noun="prompt"
      open
      onOpenChange={(open) => !open && onClose()}
      queryKey={[...promptsKey(workspace), String(prompt.id)]}
      mayEdit={useMay('PROMPT_EDIT')}
      list={async () => (await call(api.GET('/prompt-templates/{prompt_template_id}/external-ids', { params: { path } }))).external_ids}
      attach={(pair) => call(api.POST('/prompt-templates/{prompt_template_id}/external-ids', { params: { path }, body: pair }))}
      detach={(pair) => call(api.DELETE('/prompt-templates/{prompt_template_id}/external-ids/{source}/{external_id}', { params: { path: { ...path, ...pair } } }))}
    />
  )
}
