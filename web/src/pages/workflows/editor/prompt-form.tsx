import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { api, call } from '@/api/client'
import { useSession } from '@/api/session'
import { Combobox } from '@/ui/combobox'
import { Field, Input, Switch } from '@/ui/field'
import { isObject, type Configuration } from '../model/definition'
import { Group, textMembers, type FormProps } from './field-control'
import { PairList, SourceSelect } from './source-select'

const shown = new Set(['template', 'prompt_template_variable_mappings', 'engine', 'chat_history_source', 'verbose', 'return_template_only'])
const shownOfTemplate = new Set(['prompt_name', 'name', 'version_number', 'label'])

/** Whether the form shows all of a configuration; prompts of their own are edited as JSON. */
export function promptFormShows({ template, ...rest }: Configuration): boolean {
  return isObject(template) && Object.keys(template).every((key) => shownOfTemplate.has(key)) && Object.keys(rest).every((key) => shown.has(key))
}

/** Asks a model with a template of the registry. */
export function PromptForm({ configuration, onChange, scope }: FormProps) {
  const workspace = useSession().workspace_id
  const template = isObject(configuration.template) ? configuration.template : {}
  const name = String(template.prompt_name ?? template.name ?? '')
  const label = text(template.label)
  const version = text(template.version_number)
  const prompts = useQuery({
    queryKey: ['w', workspace, 'prompts', 'names'],
    queryFn: async ({ signal }) => (await call(api.GET('/prompt-templates', { params: { query: { per_page: 1000, is_snippet: false, sort_by: 'name', sort_order: 'asc' } }, signal }))).items,
    staleTime: 60_000,
  })
  const chosen = useQuery({
    queryKey: ['w', workspace, 'prompts', 'by-name', name, label, version],
    queryFn: ({ signal }) =>
      call(api.GET('/prompt-templates/{identifier}', { params: { path: { identifier: name }, query: label === '' ? { version: Number(version) || undefined } : { label } }, signal })),
    enabled: name !== '',
    retry: false,
    staleTime: 60_000,
  })
  const variables = inputVariables(chosen.data?.prompt_template)
  const mappings = textMembers(configuration.prompt_template_variable_mappings)
  const setTemplate = (change: Record<string, unknown>) => onChange({ ...configuration, template: withoutEmpty({ ...template, ...change }) })
  return (
    <>
      <Group label="Prompt" hint={chosen.isError ? 'There is no such prompt, version or label here.' : undefined}>
        <div className="flex items-center gap-2">
          <Combobox
            label="Prompt"
            className="min-w-0 flex-1"
            disabled={scope.locked}
            value={name === '' ? null : name}
            options={(prompts.data ?? []).map((prompt) => ({ value: prompt.prompt_name, label: prompt.prompt_name, note: `v${prompt.version}` }))}
            onChange={(next) => onChange({ ...configuration, template: { prompt_name: next }, prompt_template_variable_mappings: {} })}
          />
          {chosen.data && (
            <Link to="/$workspace/prompts/$prompt" params={{ workspace: String(workspace), prompt: String(chosen.data.id) }} search={{}} className="text-[13px] text-accent-ink underline">
              Open
            </Link>
          )}
        </div>
      </Group>
      <div className="grid grid-cols-2 gap-3">
        <Field label="Release label" hint="Latest version when both are empty.">
          {(control) => <Input {...control} disabled={scope.locked} value={label} onChange={(event) => setTemplate({ label: event.target.value, version_number: undefined })} />}
        </Field>
        <Field label="Or version">
          {(control) => (
            <Input {...control} inputMode="numeric" disabled={scope.locked} value={version} onChange={(event) => setTemplate({ version_number: Number.parseInt(event.target.value, 10) || undefined, label: undefined })} />
          )}
        </Field>
      </div>
      <Group label="Variables of the prompt" hint={variables.length > 0 ? 'A variable without a source takes the value of the same name.' : undefined}>
        {variables.map((variable) => (
          <div key={variable} className="grid grid-cols-2 items-center gap-2">
            <span className="truncate font-mono text-[13px]">{variable}</span>
            <SourceSelect
              label={`Source of ${variable}`}
              optional
              scope={scope}
              value={mappings[variable] ?? ''}
              onChange={(source) => onChange({ ...configuration, prompt_template_variable_mappings: withoutEmpty({ ...mappings, [variable]: source }) })}
            />
          </div>
        ))}
        <PairList
          label="Further variables"
          nameLabel="Variable"
          scope={scope}
          value={Object.fromEntries(Object.entries(mappings).filter(([variable]) => !variables.includes(variable)))}
          onChange={(further) => onChange({ ...configuration, prompt_template_variable_mappings: { ...Object.fromEntries(Object.entries(mappings).filter(([variable]) => variables.includes(variable))), ...further } })}
        />
      </Group>
      <Engine configuration={configuration} onChange={onChange} scope={scope} />
      <Switch label="Render only, ask no model" disabled={scope.locked} checked={configuration.return_template_only === true} onChange={(on) => onChange(withoutEmpty({ ...configuration, return_template_only: on || undefined }))} />
    </>
  )
}

/** Another model than the template's. */
function Engine({ configuration, onChange, scope }: FormProps) {
  const engine = isObject(configuration.engine) ? configuration.engine : {}
  const set = (change: Record<string, unknown>) => {
    const next = withoutEmpty({ ...engine, ...change })
    onChange(withoutEmpty({ ...configuration, engine: Object.keys(next).length === 0 ? undefined : next }))
  }
  return (
    <div className="grid grid-cols-2 gap-3">
      <Field label="Provider (optional)" hint="The template’s when empty.">
        {(control) => <Input {...control} disabled={scope.locked} value={text(engine.provider)} onChange={(event) => set({ provider: event.target.value })} />}
      </Field>
      <Field label="Model (optional)">
        {(control) => <Input {...control} disabled={scope.locked} value={text(engine.model)} onChange={(event) => set({ model: event.target.value })} />}
      </Field>
    </div>
  )
}

function inputVariables(template: Record<string, unknown> | undefined): string[] {
  return Array.isArray(template?.input_variables) ? template.input_variables.filter((name) => typeof name === 'string') : []
}

function withoutEmpty(members: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined && value !== ''))
}

function text(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
}
