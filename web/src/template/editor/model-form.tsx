import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useId } from 'react'
import { useSession } from '@/api/session'
import { Field, Input, Select } from '@/ui/field'
import { providersQuery } from '../providers'
import { omit, type ModelConfig } from '../types'
import { ParameterList } from './parameter-list'
import { ResponseFormat } from './response-format'

export interface ModelFormProps {
  /** The model, or null for a template without one. */
  value: ModelConfig | null
  onChange: (value: ModelConfig | null) => void
  readOnly?: boolean
}

/** Provider, model and parameters. Suggests known names; any other can be typed. */
export function ModelForm({ value, onChange, readOnly }: ModelFormProps) {
  const { workspace_id: workspace } = useSession()
  const providers = useQuery(providersQuery(workspace)).data ?? []
  const id = useId()
  const model: ModelConfig = value ?? { provider: '', name: '' }
  const provider = providers.find((one) => one.name === model.provider)
  const parameters = model.parameters ?? {}
  const set = (members: Partial<ModelConfig>) => {
    const next = { ...model, ...members }
    onChange(next.provider === '' && next.name === '' && Object.keys(next.parameters ?? {}).length === 0 ? null : next)
  }
  const setParameters = (next: Record<string, unknown>) => set({ parameters: next })
  return (
    <div className="flex flex-col gap-3">
      <Field label="Provider" error={model.provider === '' && model.name !== '' ? 'Enter a provider.' : null}>
        {(control) => <Input {...control} list={`${id}-providers`} readOnly={readOnly} placeholder="openai" value={model.provider} onChange={(event) => set({ provider: event.target.value })} />}
      </Field>
      <datalist id={`${id}-providers`}>
        {providers.map((one) => <option key={one.name} value={one.name}>{one.configured ? '' : 'no API key'}</option>)}
      </datalist>
      <Field label="Model" error={model.name === '' && model.provider !== '' ? 'Enter a model.' : null}>
        {(control) => <Input {...control} list={`${id}-models`} readOnly={readOnly} placeholder="gpt-4o" value={model.name} onChange={(event) => set({ name: event.target.value })} />}
      </Field>
      <datalist id={`${id}-models`}>
        {provider?.models.map((name) => <option key={name} value={name} />)}
      </datalist>
      {provider !== undefined && !provider.configured && (
        <p className="text-[13px] text-warn">
          {provider.name} has no API key, so it cannot be run here.{' '}
          <Link to="/$workspace/settings/$section" params={{ workspace: String(workspace), section: 'providers' }} className="underline">Add a key</Link>
        </p>
      )}
      {/^openai/.test(model.provider) && (
        <Field label="API">
          {(control) => (
            <Select {...control} disabled={readOnly} value={model.api_type ?? ''} onChange={(event) => set({ api_type: event.target.value || null })}>
              <option value="">Chat completions (default)</option>
              <option value="chat-completions">Chat completions</option>
              <option value="responses">Responses</option>
              <option value="images">Images</option>
              {model.api_type && !['chat-completions', 'responses', 'images'].includes(model.api_type) && <option>{model.api_type}</option>}
            </Select>
          )}
        </Field>
      )}
      <fieldset className="flex flex-col gap-2">
        <legend className="mb-1 text-[13px] font-medium text-dim">Parameters</legend>
        <ParameterList value={parameters} onChange={setParameters} readOnly={readOnly} hidden={['response_format']} />
      </fieldset>
      <ResponseFormat
        value={parameters.response_format}
        readOnly={readOnly}
        onChange={(next) => setParameters(next === undefined ? omit(parameters, 'response_format') : { ...parameters, response_format: next })}
      />
    </div>
  )
}
