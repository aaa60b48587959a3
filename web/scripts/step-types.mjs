// Writes src/step/vocabulary.ts: the types of nodes and columns that the OpenAPI
// document describes, and their icons.
import { readFileSync, writeFileSync } from 'node:fs'

const schema = JSON.parse(readFileSync('openapi.json', 'utf8')).components.schemas.WorkflowNodeItem.properties.node_type
const types = schema['x-types']
const component = (icon) => icon.split('-').map((word) => word[0].toUpperCase() + word.slice(1)).join('')
const icons = [...new Set(types.map((type) => component(type.icon)))].sort()

writeFileSync('src/step/vocabulary.ts', `/** Generated from openapi.json by scripts/step-types.mjs. Do not edit. */
import { ${icons.map((icon) => `${icon} as ${icon}Icon`).join(', ')} } from 'lucide-react'
import type { StepType, Template } from './step-type'

export const groups = ${JSON.stringify(schema['x-groups'])} as const

export const types: StepType[] = ${JSON.stringify(types, null, 2)}

/** Checks to start from. */
export const templates: Template[] = ${JSON.stringify(schema['x-templates'], null, 2)}

/** The icons by the names that types give them. */
export const icons = {
${[...new Set(types.map((type) => type.icon))].sort().map((icon) => `  '${icon}': ${component(icon)}Icon,\n`).join('')}}
`)
