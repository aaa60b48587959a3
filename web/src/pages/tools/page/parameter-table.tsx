import { Badge } from '@/ui/badge'
import { parametersOf, type Parameter } from '../model/schema'
import type { Json } from '../model/parts'

/** The parameters of a function for display. */
export function ParameterTable({ schema, label = 'Parameters' }: { schema: Json; label?: string }) {
  const parameters = parametersOf(schema)
  if (parameters.length === 0) return <p className="text-[13px] text-faint">No parameters</p>
  return (
    <div className="overflow-x-auto rounded-md border border-line" tabIndex={0} role="group" aria-label={label}>
      <table aria-label={label} className="w-full border-collapse text-left text-[13px]">
        <thead>
          <tr className="border-b border-line bg-sunken text-xs text-dim">
            <th scope="col" className="px-3 py-1.5 font-medium">Parameter</th>
            <th scope="col" className="px-3 py-1.5 font-medium">Type</th>
            <th scope="col" className="px-3 py-1.5 font-medium">Description</th>
          </tr>
        </thead>
        <tbody>{parameters.map((parameter) => <Row key={parameter.path} {...parameter} />)}</tbody>
      </table>
    </div>
  )
}

function Row({ path, type, required, description, choices, depth }: Parameter) {
  return (
    <tr className="border-b border-line align-top last:border-0">
      <td className="px-3 py-1.5 whitespace-nowrap" style={{ paddingLeft: 12 + depth * 14 }}>
        <code className="font-mono text-xs">{path}</code> {required && <Badge tone="info">required</Badge>}
      </td>
      <td className="px-3 py-1.5 text-dim">{type}</td>
      <td className="px-3 py-1.5">
        {description}
        {choices.length > 0 && <span className="block text-dim">One of {choices.map((choice) => <code key={choice} className="mr-1 rounded bg-sunken px-1 font-mono text-xs">{choice}</code>)}</span>}
        {description === '' && choices.length === 0 && <span className="text-faint">no description</span>}
      </td>
    </tr>
  )
}
