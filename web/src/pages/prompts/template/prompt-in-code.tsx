import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useSession } from '@/api/session'
import { labelsQuery, type Prompt } from '@/template/data'
import { readTemplate } from '@/template/types'
import { templateVariables } from '@/template/variables'
import { Field, Select } from '@/ui/field'
import { ownHeaders, UseInCode } from '@/ui/use-in-code'

/** Code that fetches the prompt, filled in and with the arguments of its provider. */
export function PromptInCode({ prompt, onClose }: { prompt: Prompt; onClose: () => void }) {
  const { workspace_id: workspace } = useSession()
  const labels = useQuery(labelsQuery(workspace, String(prompt.id))).data ?? []
  const [target, setTarget] = useState<string | null>(null)
  // Applications should fetch by label, so that a release needs no deployment.
  const chosen = target ?? (labels[0] === undefined ? `v${prompt.version}` : `l${labels[0].release_label}`)
  const names = templateVariables(readTemplate(prompt.prompt_template))
  const version = chosen.startsWith('l') ? { label: chosen.slice(1) } : chosen === '' ? {} : { version: Number(chosen.slice(1)) }
  return (
    <UseInCode
      title={`Use ${prompt.prompt_name} in code`}
      description="Returns the prompt with its variables filled in. llm_kwargs are the arguments for the provider's own library."
      call={{
        method: 'POST', url: `${window.location.origin}/prompt-templates/${encodeURIComponent(prompt.prompt_name)}`, headers: ownHeaders,
        body: { ...version, ...(names.length === 0 ? {} : { input_variables: Object.fromEntries(names.map((name) => [name, `Value of ${name}`])) }) },
      }}
      onClose={onClose}
    >
      <Field label="Version">
        {(control) => (
          <Select {...control} value={chosen} onChange={(event) => setTarget(event.target.value)}>
            {labels.map((one) => <option key={one.release_label_id} value={`l${one.release_label}`}>Label {one.release_label}</option>)}
            <option value="">Latest version</option>
            <option value={`v${prompt.version}`}>Version {prompt.version}</option>
          </Select>
        )}
      </Field>
    </UseInCode>
  )
}
