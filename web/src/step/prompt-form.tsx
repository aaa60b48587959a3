import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useSession } from '@/api/session'
import { isObject } from '@/lib/json'
import { Combobox } from '@/ui/combobox'
import { Field, Input, Select, Switch } from '@/ui/field'
import { Group, textMembers, type FormProps } from './field-control'
import type { Configuration } from './step-type'
import { promptQuery, promptsQuery, promptVersionsQuery, type PromptVersion } from './prompts'
import { PairList, SourceSelect } from './source-select'

const shown = new Set(['template', 'prompt_template_variable_mappings', 'engine', 'chat_history_source', 'verbose', 'return_template_only'])
const shownOfTemplate = new Set(['prompt_name', 'name', 'version_number', 'label'])

/** Reports whether the form can show the whole configuration. Inline prompts are edited as JSON. */
export function promptFormShows({ template, ...rest }: Configuration): boolean {
  return isObject(template) && Object.keys(template).every((key) => shownOfTemplate.has(key)) && Object.keys(rest).every((key) => shown.has(key))
}

/** Calls a model with a prompt from the registry. */
export function PromptForm({ configuration, onChange, scope }: FormProps) {
  const workspace = useSession().workspace_id
  const template = isObject(configuration.template) ? configuration.template : {}
  const name = String(template.prompt_name ?? template.name ?? '')
  const label = text(template.label)
  const version = text(template.version_number)
  const prompts = useQuery(promptsQuery(workspace))
  const known = prompts.data?.find((prompt) => prompt.prompt_name === name)
  const versions = useQuery({ ...promptVersionsQuery(workspace, known?.id ?? 0), enabled: known !== undefined })
  // Only request what exists: a deleted label has no version.
  const number = label !== '' ? versions.data?.find((one) => one.release_labels.some((other) => other.name === label))?.number : versionOf(version, known?.version)
  const chosen = useQuery({ ...promptQuery(workspace, known?.id ?? 0, number ?? 0), enabled: known !== undefined && number !== undefined })
  const missing = name !== '' && prompts.isSuccess && (known === undefined || (versions.isSuccess && number === undefined))
  const variables = inputVariables(chosen.data?.prompt_template)
  const mappings = textMembers(configuration.prompt_template_variable_mappings)
  const setTemplate = (change: Record<string, unknown>) => onChange({ ...configuration, template: withoutEmpty({ ...template, ...change }) })
  return (
    <>
      <Group label="Prompt" hint={missing ? `Prompt ${name}${label === '' ? '' : ` with label ${label}`} not found.` : undefined}>
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
      <Field label="Version" hint={label === '' && version === '' ? 'Uses the latest version at run time.' : undefined}>
        {(control) => (
          <Select {...control} disabled={scope.locked} value={label !== '' ? `l${label}` : version !== '' ? `v${version}` : ''} onChange={(event) => setTemplate(readTarget(event.target.value))}>
            <TargetOptions versions={versions.data ?? []} label={label} version={version} />
          </Select>
        )}
      </Field>
      <Group label="Prompt variables" hint={variables.length > 0 ? 'A variable without a source uses the value with the same name.' : undefined}>
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
          label="Other variables"
          nameLabel="Variable"
          scope={scope}
          value={Object.fromEntries(Object.entries(mappings).filter(([variable]) => !variables.includes(variable)))}
          onChange={(further) => onChange({ ...configuration, prompt_template_variable_mappings: { ...Object.fromEntries(Object.entries(mappings).filter(([variable]) => variables.includes(variable))), ...further } })}
        />
      </Group>
      <Engine configuration={configuration} onChange={onChange} scope={scope} />
      <Switch label="Render only, without calling the model" disabled={scope.locked} checked={configuration.return_template_only === true} onChange={(on) => onChange(withoutEmpty({ ...configuration, return_template_only: on || undefined }))} />
    </>
  )
}

/** The latest version, all labels and all versions, including the selected one if it was deleted. */
function TargetOptions({ versions, label, version }: { versions: PromptVersion[]; label: string; version: string }) {
  const labels = [...new Set([...versions.flatMap((one) => one.release_labels.map((other) => other.name)), ...(label === '' ? [] : [label])])].toSorted()
  const numbers = versions.map((one) => String(one.number))
  return (
    <>
      <option value="">Latest</option>
      {labels.length > 0 && <optgroup label="Release labels">{labels.map((one) => <option key={one} value={`l${one}`}>{one}</option>)}</optgroup>}
      <optgroup label="Versions">
        {version !== '' && !numbers.includes(version) && <option value={`v${version}`}>Version {version}</option>}
        {versions.map((one) => <option key={one.number} value={`v${one.number}`}>Version {one.number}{one.commit_message ? `: ${one.commit_message}` : ''}</option>)}
      </optgroup>
    </>
  )
}

function versionOf(text: string, latest: number | undefined): number | undefined {
  const number = text === '' ? latest : Number(text)
  return number === undefined || latest === undefined || number > latest ? undefined : number
}

function readTarget(value: string) {
  return { label: value.startsWith('l') ? value.slice(1) : undefined, version_number: value.startsWith('v') ? Number(value.slice(1)) : undefined }
}

/** Overrides the model of the template. */
function Engine({ configuration, onChange, scope }: FormProps) {
  const engine = isObject(configuration.engine) ? configuration.engine : {}
  const set = (change: Record<string, unknown>) => {
    const next = withoutEmpty({ ...engine, ...change })
    onChange(withoutEmpty({ ...configuration, engine: Object.keys(next).length === 0 ? undefined : next }))
  }
  return (
    <div className="grid grid-cols-2 gap-3">
      <Field label="Provider (optional)" hint="Defaults to the model of the prompt.">
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
