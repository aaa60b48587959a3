import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Wrench } from 'lucide-react'
import type { ReactNode } from 'react'
import { api, call } from '@/api/client'
import { useSession } from '@/api/session'
import { isObject } from '@/lib/json'
import { Combobox } from '@/ui/combobox'
import { Field, Input, Select, Switch, Textarea } from '@/ui/field'
import { text, type FunctionDefinition, type Tool } from '../types'
import { JsonField } from './json-field'

interface FormProps {
  value: Tool
  onChange: (value: Tool) => void
  position: number
  readOnly?: boolean
}

/** One tool of a template, collapsed to its name. */
export function ToolForm({ value, onChange, position, readOnly }: FormProps) {
  if (value.type === 'function' && isObject(value.function)) {
    return <FunctionForm value={value.function as FunctionDefinition} kind="function" readOnly={readOnly} onChange={(changed) => onChange({ ...value, function: changed })} />
  }
  if (value.type === 'registry') return <RegistryTool value={value} onChange={onChange} position={position} readOnly={readOnly} />
  if (value.type === 'variable') {
    return (
      <Folded name={text(value.name)} kind="variable" open>
        <Field label="Variable" hint="Its value is a list of functions.">
          {(control) => <Input {...control} readOnly={readOnly} value={text(value.name)} onChange={(event) => onChange({ ...value, name: event.target.value })} />}
        </Field>
      </Folded>
    )
  }
  return (
    <Folded name={text(value.name) || value.type} kind="built in">
      <JsonField value={value} expects="object" label={`Tool ${position + 1} as JSON`} readOnly={readOnly} onChange={(next) => isObject(next) && typeof next.type === 'string' && onChange(next as Tool)} />
    </Folded>
  )
}

export function FunctionForm({ value, onChange, kind, readOnly }: { value: FunctionDefinition; onChange: (value: FunctionDefinition) => void; kind: string; readOnly?: boolean }) {
  return (
    <Folded name={value.name} kind={kind} open={value.name === ''}>
      <div className="flex flex-col gap-2">
        <Field label="Name" error={value.name === '' ? 'Enter a name.' : null}>
          {(control) => <Input {...control} readOnly={readOnly} className="font-mono text-xs" value={value.name} onChange={(event) => onChange({ ...value, name: event.target.value })} />}
        </Field>
        <Field label="Description" hint="The model uses it to decide when to call the function.">
          {(control) => <Textarea {...control} rows={2} readOnly={readOnly} value={value.description ?? ''} onChange={(event) => onChange({ ...value, description: event.target.value })} />}
        </Field>
        <div>
          <p className="mb-1 text-[13px] font-medium text-dim">Parameters (JSON schema)</p>
          <JsonField value={value.parameters ?? { type: 'object', properties: {} }} expects="object" label={`Parameters of ${value.name || 'the function'}`} readOnly={readOnly} onChange={(next) => onChange({ ...value, parameters: next as Record<string, unknown> })} />
        </div>
        <Switch label="Strict: arguments always match the schema" checked={value.strict === true} onChange={(strict) => onChange({ ...value, strict })} disabled={readOnly} />
      </div>
    </Folded>
  )
}

function RegistryTool({ value, onChange, position, readOnly }: FormProps) {
  const { workspace_id: workspace } = useSession()
  const id = Number(value.tool_registry_id) || 0
  const tools = useQuery({
    queryKey: ['w', workspace, 'tools', 'names'],
    queryFn: async () => (await call(api.GET('/api/public/v2/tool-registry'))).tool_registries,
    staleTime: 60_000,
  })
  const versions = useQuery({
    queryKey: ['w', workspace, 'tools', id, 'versions', 'pins'],
    queryFn: async () => (await call(api.GET('/api/public/v2/tool-registry/{identifier}/versions', { params: { path: { identifier: String(id) }, query: { per_page: 100 } } }))).items,
    enabled: id > 0,
    staleTime: 60_000,
  })
  const tool = tools.data?.find((one) => one.id === id)
  const pin = value.label ? `label:${text(value.label)}` : value.version_number ? `version:${String(value.version_number)}` : ''
  const labels = (versions.data ?? []).flatMap((version) => version.release_labels.map(({ name }) => name))
  const choosePin = (next: string) => {
    const [kind, ...rest] = next.split(':')
    onChange({ ...value, label: kind === 'label' ? rest.join(':') : null, version_number: kind === 'version' ? Number(rest[0]) : null })
  }
  return (
    <Folded name={tool?.name ?? (id > 0 ? `tool ${id}` : 'Choose a tool')} kind="registry" open={id === 0}>
      <div className="flex flex-col gap-2">
        <Combobox
          label={`Tool ${position + 1} from the registry`}
          disabled={readOnly}
          options={(tools.data ?? []).map((one) => ({ value: String(one.id), label: one.name }))}
          value={id > 0 ? String(id) : null}
          onChange={(next) => onChange({ ...value, tool_registry_id: Number(next), label: null, version_number: null })}
          placeholder={tools.data?.length === 0 ? 'No tools in the registry yet' : 'Choose a tool…'}
        />
        {id > 0 && (
          <Field label="Version">
            {(control) => (
              <Select {...control} disabled={readOnly} value={pin} onChange={(event) => choosePin(event.target.value)}>
                <option value="">Latest</option>
                {labels.map((label) => <option key={label} value={`label:${label}`}>Label {label}</option>)}
                {(versions.data ?? []).map((version) => <option key={version.number} value={`version:${version.number}`}>Version {version.number}</option>)}
                {pin !== '' && versions.data === undefined && <option value={pin}>{pin.replace(':', ' ')}</option>}
              </Select>
            )}
          </Field>
        )}
        {tool !== undefined && <Link to="/$workspace/tools/$tool" params={{ workspace: String(workspace), tool: String(id) }} search={{}} className="text-[13px] text-accent-ink underline">Open tool</Link>}
      </div>
    </Folded>
  )
}

function Folded({ name, kind, open = false, children }: { name: string; kind: string; open?: boolean; children: ReactNode }) {
  return (
    <details open={open} className="min-w-0 flex-1 rounded-md border border-line">
      <summary className="truncate px-2.5 py-1.5 text-[13px]">
        <Wrench className="mr-1.5 inline size-3.5 text-warn" />
        <span className="font-mono text-xs">{name || 'unnamed'}</span> <span className="text-xs text-faint">{kind}</span>
      </summary>
      <div className="px-2.5 pt-1 pb-2.5">{children}</div>
    </details>
  )
}
