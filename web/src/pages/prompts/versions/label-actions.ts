import { useQuery, useQueryClient } from '@tanstack/react-query'
import { api, call } from '@/api/client'
import { useSession } from '@/api/session'
import { abTestsQuery, promptsKey, type Prompt } from '@/template/data'
import { useLabelChanges } from '@/ui/label-changes'

/** What can be done to the labels of a template. */
export function useLabelActions(prompt: Prompt) {
  const { workspace_id: workspace } = useSession()
  const queryClient = useQueryClient()
  const tests = useQuery(abTestsQuery(workspace, prompt.id)).data ?? []
  return useLabelChanges({
    create: (name, version) => call(api.POST('/prompts/{prompt_id}/label', { params: { path: { prompt_id: prompt.id } }, body: { name, prompt_version_number: version } })),
    move: (label, version) => call(api.PATCH('/prompt-labels/{prompt_label_id}', { params: { path: { prompt_label_id: label.id } }, body: { prompt_version_number: version } })),
    remove: (label) => call(api.DELETE('/prompt-labels/{prompt_label_id}', { params: { path: { prompt_label_id: label.id } } })),
    refresh: () => queryClient.invalidateQueries({ queryKey: promptsKey(workspace) }),
    afterMove: (label, version) => {
      const test = tests.find(({ release_label_id }) => release_label_id === label.id)
      return test === undefined
        ? `Programs that fetch ${prompt.prompt_name} by this label get version ${version} in its place, from the next fetch on.`
        : `The A/B test ${test.name} stands behind it: fetches go on by the shares of the test, and get version ${version} when it ends.`
    },
    afterDelete: `Programs that fetch ${prompt.prompt_name} by it get an error from then on, and an A/B test behind it ends.`,
  })
}
