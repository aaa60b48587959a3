import { Plus, Split, X } from 'lucide-react'
import type { Scope } from '@/step/source-select'
import { Button, IconButton } from '@/ui/button'
import { Menu, MenuItem, MenuLabel } from '@/ui/menu'
import { newConditional } from '../model/conditions'
import type { Definition, Node } from '../model/definition'
import { removeEdge, setDependencies, setEdge } from '../model/edit'
import { sourcesOf } from '../model/references'
import { ConditionEditor } from './condition'
import type { Edit } from './use-draft'

/** The dependencies of a node, and the conditions under which it runs. */
export function Dependencies({ definition, node, scope, onEdit }: { definition: Definition; node: Node; scope: Scope; onEdit: (edit: Edit, topic?: string) => void }) {
  const used = sourcesOf(node.configuration)
  const set = (names: string[]) => onEdit((old) => setDependencies(old, node.name, names))
  const isNode = (name: string) => definition.nodes.some((one) => one.name === name)
  return (
    <section className="flex flex-col gap-2">
      <div className="flex items-center justify-between gap-2">
        <h3 className="text-[13px] font-semibold">Dependencies</h3>
        {!scope.locked && <AddDependency scope={scope} taken={node.dependencies} onAdd={(name) => set([...node.dependencies, name])} />}
      </div>
      {node.dependencies.length === 0 && <p className="text-[13px] text-faint">None. The node runs as soon as the run starts.</p>}
      <ul className="flex flex-col gap-2">
        {node.dependencies.map((name) => {
          const edge = definition.edges.find((one) => one.source_node_name === name && one.target_node_name === node.name)
          return (
            <li key={name} className="rounded-md border border-line">
              <div className="flex items-center gap-2 px-2.5 py-1">
                <span className="min-w-0 flex-1 truncate font-mono text-[13px]">{name}</span>
                {!isNode(name) && <span className="text-xs text-faint">input</span>}
                {used.includes(name) && <span className="text-xs text-faint">used</span>}
                {isNode(name) && edge === undefined && !scope.locked && (
                  <Button
                    small
                    look="quiet"
                    title="Run this node only if a condition is true"
                    onClick={() => onEdit((old) => setEdge(old, { source_node_name: name, target_node_name: node.name, is_and: true, conditionals: [newConditional(name, 0)] }))}
                  >
                    <Split /> Add condition
                  </Button>
                )}
                {!scope.locked && (
                  <IconButton small label={`Remove dependency ${name}`} onClick={() => set(node.dependencies.filter((one) => one !== name))}>
                    <X />
                  </IconButton>
                )}
              </div>
              {edge !== undefined && (
                <ConditionEditor
                  edge={edge}
                  scope={scope}
                  onChange={(next) => onEdit((old) => setEdge(old, next), `edge ${name} ${node.name}`)}
                  onRemove={() => onEdit((old) => removeEdge(old, name, node.name))}
                />
              )}
            </li>
          )
        })}
      </ul>
    </section>
  )
}

function AddDependency({ scope, taken, onAdd }: { scope: Scope; taken: string[]; onAdd: (name: string) => void }) {
  const free = (names: string[]) => names.filter((name) => !taken.includes(name))
  const groups = [{ label: 'Nodes', names: free(scope.nodes) }, { label: 'Input variables', names: free(scope.variables) }].filter(({ names }) => names.length > 0)
  if (groups.length === 0) return null
  return (
    <Menu trigger={<Button small look="quiet"><Plus /> Add</Button>}>
      {groups.map(({ label, names }) => (
        <div key={label}>
          <MenuLabel>{label}</MenuLabel>
          {names.map((name) => <MenuItem key={name} onSelect={() => onAdd(name)}>{name}</MenuItem>)}
        </div>
      ))}
    </Menu>
  )
}
