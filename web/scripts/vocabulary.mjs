// Writes src/query/vocabulary.ts: the filter fields and operators that the
// OpenAPI document describes.
import { readFileSync, writeFileSync } from 'node:fs'

const { FilterField, FilterOperator, TraceFilterField } = JSON.parse(readFileSync('openapi.json', 'utf8')).components.schemas

const lines = (list) => `[\n${list.map((item) => `  ${JSON.stringify(item)},\n`).join('')}] as const\n`

writeFileSync('src/query/vocabulary.ts', `/** Generated from openapi.json by scripts/vocabulary.mjs. Do not edit. */

export const fields = ${lines(FilterField['x-fields'])}
export const traceFields = ${lines(TraceFilterField['x-fields'])}
export const operators = ${lines(FilterOperator['x-operators'])}
export const operatorsByType = ${JSON.stringify(FilterField['x-operators'], null, 2)} as const
`)
