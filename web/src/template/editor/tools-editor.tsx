import { Plus, Trash2 } from 'lucide-react'
import { isObject } from '@/lib/json'
import { replaced, useKeys, without } from '@/lib/lists'
import { Button, IconButton } from '@/ui/button'
import { Field, Select } from '@/ui/field'
import { Menu, MenuItem, MenuLabel, MenuSeparator } from '@/ui/menu'
import { text, type ChatTemplate, type Tool } from '../types'
import { FunctionForm, ToolForm } from './tool-form'

const builtIn = ['web_search', 'file_search', 'code_interpreter', 'image_generation', 'google_maps', 'url_context', 'mcp', 'bash', 'shell', 'apply_patch', 'text_editor']
const newFunction = { name: '', description: '', parameters: { type: 'object', properties: {} } }

/** The parts of a chat template that define tools. */
export type ToolMembers = Pick<ChatTemplate, 'tools' | 'tool_choice' | 'functions' | 'function_call'>

/** The tools that a model may call, and whether it must call one. */
export function ToolsEditor({ value, onChange, readOnly }: { value: ToolMembers; onChange: (value: ToolMembers) => void; readOnly?: boolean }) {
  const tools = value.tools ?? []
  const functions = value.functions ?? []
  const keys = useKeys(tools.length)
  const setTools = (next: Tool[]) => onChange({ ...value, tools: next.length > 0 ? next : null, ...(next.length > 0 ? {} : { tool_choice: null }) })
  const add = (tool: Tool) => setTools([...tools, tool])
  return (
    <div className="flex flex-col gap-2">
      {tools.map((tool, index) => (
        <div key={keys.at(index)} className="flex items-start gap-1">
          <ToolForm value={tool} position={index} readOnly={readOnly} onChange={(changed) => setTools(replaced(tools, index, changed))} />
          {!readOnly && <IconButton small label={`Remove tool ${index + 1}`} onClick={() => { keys.remove(index); setTools(without(tools, index)) }}><Trash2 /></IconButton>}
        </div>
      ))}
      {functions.map((one, index) => (
        <div key={index} className="flex items-start gap-1">
          <FunctionForm value={one} kind="legacy function" readOnly={readOnly} onChange={(changed) => onChange({ ...value, functions: replaced(functions, index, changed) })} />
          {!readOnly && <IconButton small label={`Remove function ${index + 1}`} onClick={() => onChange({ ...value, functions: functions.length > 1 ? without(functions, index) : null })}><Trash2 /></IconButton>}
        </div>
      ))}
      {tools.length > 0 && <ToolChoice value={value.tool_choice} tools={tools} readOnly={readOnly} onChange={(tool_choice) => onChange({ ...value, tool_choice })} />}
      {!readOnly && (
        <div>
          <Menu align="start" trigger={<Button small look="quiet"><Plus /> Add tool</Button>}>
            <MenuItem onSelect={() => add({ type: 'function', function: structuredClone(newFunction) })}>Function</MenuItem>
            <MenuItem onSelect={() => add({ type: 'registry', tool_registry_id: 0, label: null, version_number: null })}>Tool from the registry</MenuItem>
            <MenuItem onSelect={() => add({ type: 'variable', name: 'tools' })}>Tools from a variable</MenuItem>
            <MenuItem onSelect={() => onChange({ ...value, functions: [...functions, structuredClone(newFunction)] })}>Legacy function</MenuItem>
            <MenuSeparator />
            <MenuLabel>Built-in tools</MenuLabel>
            {builtIn.map((type) => <MenuItem key={type} onSelect={() => add({ type, name: type, config: {} })}>{type.replaceAll('_', ' ')}</MenuItem>)}
          </Menu>
        </div>
      )}
    </div>
  )
}

function ToolChoice({ value, tools, onChange, readOnly }: { value: unknown; tools: Tool[]; onChange: (value: unknown) => void; readOnly?: boolean }) {
  const named = isObject(value) && isObject(value.function) ? text(value.function.name) : null
  const names = tools.flatMap((tool) => (tool.type === 'function' && isObject(tool.function) && text(tool.function.name) ? [text(tool.function.name)] : []))
  const current = named !== null ? `=${named}` : typeof value === 'string' ? value : value === null || value === undefined ? '' : 'other'
  const choose = (next: string) => onChange(next === '' ? null : next.startsWith('=') ? { type: 'function', function: { name: next.slice(1) } } : next)
  const listed = ['', 'auto', 'none', 'required', ...names.map((name) => `=${name}`)]
  return (
    <Field label="Tool choice">
      {(control) => (
        <Select {...control} disabled={readOnly} value={current} onChange={(event) => choose(event.target.value)}>
          <option value="">Provider default</option>
          <option value="auto">Auto: the model decides</option>
          <option value="required">Required: always call a tool</option>
          <option value="none">None: never call a tool</option>
          {names.map((name) => <option key={name} value={`=${name}`}>Always call {name}</option>)}
          {!listed.includes(current) && <option value={current}>{current.replace(/^=/, '')}</option>}
        </Select>
      )}
    </Field>
  )
}
