import { useState } from 'react'
import { isObject } from '@/lib/json'
import { Segments } from '@/ui/segments'
import { CodeForm } from './code-form'
import { compareFormShows, CompareForm } from './compare-form'
import { FieldControl, type FormProps } from './field-control'
import { formShows, forms } from './fields'
import { JsonInput } from './json-input'
import type { Configuration } from './node-types'
import { promptFormShows, PromptForm } from './prompt-form'
import { ValueForm } from './value-form'

/** Edits the configuration of a node in a form, or as JSON if no form can show all of it. */
export function ConfigurationEditor({ type, ...props }: FormProps & { type: string }) {
  const [asJson, setAsJson] = useState(false)
  const fits = hasForm(type, props.configuration)
  return (
    <section className="flex flex-col gap-3">
      <div className="flex items-center justify-between">
        <h3 className="text-[13px] font-semibold">Configuration</h3>
        {fits && (
          <Segments label="Edit as" value={asJson ? 'json' : 'form'} options={[{ value: 'form', label: 'Form' }, { value: 'json', label: 'JSON' }]} onChange={(value) => setAsJson(value === 'json')} />
        )}
      </div>
      {fits && !asJson ? <Form type={type} {...props} /> : <WholeJson {...props} />}
    </section>
  )
}

function hasForm(type: string, configuration: Configuration): boolean {
  switch (type) {
    case 'VARIABLE':
      return true
    case 'CODE_EXECUTION':
      return Object.keys(configuration).every((key) => key === 'code' || key === 'language')
    case 'COMPARE':
      return compareFormShows(configuration)
    case 'PROMPT_TEMPLATE':
      return promptFormShows(configuration)
    default:
      return formShows(type, configuration)
  }
}

function Form({ type, ...props }: FormProps & { type: string }) {
  switch (type) {
    case 'VARIABLE':
      return <ValueForm {...props} />
    case 'CODE_EXECUTION':
      return <CodeForm {...props} />
    case 'COMPARE':
      return <CompareForm {...props} />
    case 'PROMPT_TEMPLATE':
      return <PromptForm {...props} />
    default:
      return (forms[type] ?? []).map((spec) => <FieldControl key={spec.keys[0]} spec={spec} {...props} />)
  }
}

function WholeJson({ configuration, onChange, scope }: FormProps) {
  return (
    <JsonInput
      label="Configuration as JSON"
      locked={scope.locked}
      value={configuration}
      check={(value) => (isObject(value) ? null : 'The configuration must be a JSON object.')}
      onChange={(value) => isObject(value) && onChange(value)}
    />
  )
}
