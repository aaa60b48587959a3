import { useQueryClient } from '@tanstack/react-query'
import { api, call } from '@/api/client'
import { useSession } from '@/api/session'
import { abTestsQuery, promptsKey, type Prompt } from '@/template/data'
import { afterMove } from '@/template/release'
import { useLabelChanges } from '@/ui/label-changes'

/** The actions on the labels of a template. */
export function useLabelActions(prompt: Prompt) {
  const { workspace_id: workspace } = useSession()
  const queryClient = useQueryClient()
  // Asked when needed: a test that someone just started also decides what is served.
  const testOf = async (label: { id: number }) => (await queryClient.fetchQuery({ ...abTestsQuery(workspace, prompt.id), staleTime: 0 })).find(({ release_label_id }) => release_label_id === label.id)
  const unknown = 'Its A/B tests could not be loaded: if it has one, the test decides what applications get.'
  return useLabelChanges({
    create: (name, version) => call(api.POST('/prompts/{prompt_id}/label', { params: { path: { prompt_id: prompt.id } }, body: { name, prompt_version_number: version } })),
    move: (label, version) => call(api.PATCH('/prompt-labels/{prompt_label_id}', { params: { path: { prompt_label_id: label.id } }, body: { prompt_version_number: version } })),
    remove: (label) => call(api.DELETE('/prompt-labels/{prompt_label_id}', { params: { path: { prompt_label_id: label.id } } })),
    refresh: () => queryClient.invalidateQueries({ queryKey: promptsKey(workspace) }),
    afterMove: (label, version) => testOf(label).then((test) => afterMove(prompt.prompt_name, version, test), () => unknown),
    afterDelete: async (label) => {
      const test = await testOf(label).catch(() => undefined)
      return `Applications that fetch ${prompt.prompt_name} by this label will get an error${test === undefined ? '' : `, and the A/B test ${test.name} ends`}.`
    },
  })
}
