import { useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import { api, call } from '@/api/client'
import { useSession } from '@/api/session'
import { isObject } from '@/lib/json'
import { Button } from '@/ui/button'
import { Textarea } from '@/ui/field'
import { Menu, MenuItem } from '@/ui/menu'
import type { PromptTemplate } from '../types'
import { isName, templateSnippets, templateVariables } from '../variables'

/** The variables found in a template, each with a value to try. */
export function VariableValues({ template, values, onChange, onPreview }: {
  template: PromptTemplate
  values: Record<string, string>
  onChange: (values: Record<string, string>) => void
  onPreview?: () => void
}) {
  const id = useId()
  const names = templateVariables(template)
  const snippets = templateSnippets(template)
  return (
    <div className="flex flex-col gap-2.5">
      {names.length === 0 && <p className="text-[13px] text-faint">No variables. Use {'{name}'} in a message to add one.</p>}
      {names.map((name) => (
        <div key={name} className="flex flex-col gap-1">
          <label htmlFor={`${id}-${name}`} className="font-mono text-xs text-accent-ink">{name}</label>
          {!isName(name) && <p className="text-xs text-warn">Not a valid variable name. Double the braces to use them as text.</p>}
          <Textarea id={`${id}-${name}`} rows={1} className="field-sizing-content max-h-40 min-h-8 text-[13px]" placeholder="Test value" value={values[name] ?? ''} onChange={(event) => onChange({ ...values, [name]: event.target.value })} />
        </div>
      ))}
      {snippets.length > 0 && (
        <p className="text-[13px] text-faint">
          Snippets: {snippets.map(({ tag }) => <span key={tag} className="mr-1.5 font-mono text-xs break-all text-info">{tag.slice(3, -3)}</span>)}
        </p>
      )}
      {names.length > 0 && (
        <div className="flex flex-wrap gap-2">
          {onPreview && <Button small onClick={onPreview}>Preview</Button>}
          <VariableSets onChoose={(chosen) => onChange({ ...values, ...chosen })} />
        </div>
      )}
    </div>
  )
}

/** Fills in the values of a saved input variable set. */
function VariableSets({ onChoose }: { onChoose: (values: Record<string, string>) => void }) {
  const { workspace_id: workspace } = useSession()
  const sets = useQuery({
    queryKey: ['w', workspace, 'input-variable-sets', 'menu'],
    queryFn: async () => (await call(api.GET('/api/public/v2/input-variable-sets', { params: { query: { per_page: 100 } } }))).input_variable_sets,
    staleTime: 60_000,
  }).data
  if (sets === undefined || sets.length === 0) return null
  return (
    <Menu align="start" trigger={<Button small look="quiet">Use saved values</Button>}>
      {sets.map((set) => (
        <MenuItem key={set.id} onSelect={() => onChoose(Object.fromEntries(Object.entries(isObject(set.variables) ? set.variables : {}).map(([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value)])))}>
          {set.name}
        </MenuItem>
      ))}
    </Menu>
  )
}
