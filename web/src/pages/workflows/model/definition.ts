import type { Schemas } from '@/api/client'
import type { Configuration } from '@/step/step-type'

export interface Node {
  name: string
  node_type: string
  is_output_node: boolean
  configuration: Configuration
  dependencies: string[]
  /** How often it runs again if it fails. */
  retries: number
}

export const operators = ['=', '!=', '<', '>', '<=', '>=', 'in', 'not_in', 'is_null', 'is_not_null'] as const
export type Operator = (typeof operators)[number]

export interface Conditional {
  position: number
  operator: Operator
  left_config: Record<string, unknown>
  right_config: Record<string, unknown>
}

/** A condition for running the target. Without one, the dependency is enough. */
export interface Edge {
  source_node_name: string
  target_node_name: string
  is_and: boolean
  conditionals: Conditional[]
}

/** The parts of a workflow version that can be edited. */
export interface Definition {
  nodes: Node[]
  edges: Edge[]
  variables: Record<string, string>
}

export type Version = Schemas['WorkflowVersion']

/** The definition of a version, or of what a run ran. */
export function definitionOf(version: Pick<Version, 'nodes' | 'edges' | 'required_input_variables'>): Definition {
  return {
    nodes: version.nodes.map(({ name, node_type, is_output_node, configuration, dependencies, retries }) => ({ name, node_type, is_output_node, configuration, dependencies, retries: retries ?? 0 })),
    edges: version.edges.map(({ source_node_name, target_node_name, is_and, conditionals }) => ({
      source_node_name,
      target_node_name,
      is_and,
      conditionals: conditionals.map((one) => ({ ...one, operator: operators.find((operator) => operator === one.operator) ?? '=' })),
    })),
    variables: Object.fromEntries(Object.entries(version.required_input_variables).map(([name, type]) => [name, String(type)])),
  }
}
