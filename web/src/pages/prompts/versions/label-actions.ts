import { useQuery, useQueryClient } from '@tanstack/react-query'
import { api, call } from '@/api/client'
import { useSession } from '@/api/session'
import { abTestsQuery, promptsKey, type Prompt } from '@/template/data'
import { useLabelChanges } from '@/ui/label-changes'

/** The actions on the labels of a template. */
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
        ? `Applications that fetch ${prompt.prompt_name} by this label will get version ${version} immediately.`
        : `The A/B test ${test.name} uses this label and keeps its split. Version ${version} is served when the test ends.`
    },
    afterDelete: `Applications that fetch ${prompt.prompt_name} by this label will get an error, and its A/B test ends.`,
  })
}
