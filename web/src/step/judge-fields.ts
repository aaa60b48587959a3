import { isObject } from '@/lib/json'
import { fieldsShow, plainFields } from './fields'
import { readScale } from './scale'
import type { Configuration } from './step-type'

/** The fields of a judge that need no control of their own. */
export const judgeFields = plainFields('LLM_ASSERTION')

/** Reports whether the form can show the whole configuration. Models with parameters are edited as JSON. */
export function judgeFormShows({ scale, model, ...rest }: Configuration): boolean {
  const known = model === undefined || model === null || (isObject(model) && Object.entries(model).every(([key, value]) => (key === 'provider' || key === 'name') && typeof value === 'string'))
  return known && readScale(scale) !== undefined && fieldsShow(judgeFields, rest)
}
