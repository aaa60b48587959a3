import { Link, useParams } from '@tanstack/react-router'
import { CircleAlert } from 'lucide-react'
import { typeLabel } from '@/step/node-types'
import { summaryOf } from '@/step/summary'
import { Badge, StatusBadge } from '@/ui/badge'
import { SimpleTable } from '@/ui/table'
import type { GraphProps } from './graph/graph'
import { NodeIcon } from './graph/icons'
import { edgeText } from './model/conditions'
import type { Definition, Node } from './model/definition'
import { preview } from './model/preview'
import { inOrder, needsOf } from './model/references'

/** The nodes as a table in running order: the accessible alternative to the graph. */
export function NodeList({ definition, results, problems, marks, openNode, onOpen }: GraphProps) {
  const params = useParams({ from: '/$workspace/workflows/$workflow' })
  return (
    <SimpleTable
      label="Nodes"
      rows={inOrder(definition)}
      rowKey={(node) => node.name}
      onOpen={(node) => onOpen(node.name)}
      selected={(node) => node.name === openNode}
      columns={[
        {
          header: 'Node',
          cell: (node) => (
            <span className="flex items-center gap-2">
              <NodeIcon type={node.node_type} className="size-4 shrink-0 text-accent-ink" />
              <Link to="/$workspace/workflows/$workflow" params={params} search={(old) => ({ ...old, node: node.name, panel: undefined })} className="font-medium hover:underline">{node.name}</Link>
              {node.is_output_node && <Badge tone="accent">out</Badge>}
              {marks.has(node.name) && <Badge tone="warn">{marks.get(node.name)}</Badge>}
              {problems.some((problem) => problem.node === node.name) && <CircleAlert className="size-4 text-bad" aria-label="Has problems" />}
            </span>
          ),
        },
        { header: 'Type', className: 'hidden text-dim sm:table-cell', cell: (node) => typeLabel(node.node_type) },
        { header: 'Dependencies', className: 'hidden text-dim md:table-cell', cell: (node) => waits(definition, node) },
        results === null
          ? { header: 'Summary', className: 'hidden w-full text-dim sm:table-cell', cell: (node) => summaryOf(node) }
          : {
              header: 'In this run',
              className: 'w-full',
              cell: (node) => {
                const result = results[node.name]
                return result === undefined ? '' : <span className="flex items-center gap-2"><span className="shrink-0"><StatusBadge status={result.status} /></span> <span className="min-w-0 truncate text-dim">{result.status === 'SUCCESS' || result.status === 'FAILED' ? preview(result) : ''}</span></span>
              },
            },
      ]}
    />
  )
}

function waits(definition: Definition, node: Node): string {
  return needsOf(node)
    .map((name) => {
      const edge = definition.edges.find((one) => one.source_node_name === name && one.target_node_name === node.name)
      return edge === undefined ? name : `${name} ${edgeText(edge)}`
    })
    .join(', ')
}
