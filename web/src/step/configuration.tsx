import { useState } from 'react'
import { isObject } from '@/lib/json'
import { Segments } from '@/ui/segments'
import { CodeForm } from './code-form'
import { compareFormShows, CompareForm } from './compare-form'
import { FieldControl, type FormProps } from './field-control'
import { formFields, formShows } from './fields'
import { JsonInput } from './json-input'
import { judgeFormShows } from './judge-fields'
import { JudgeForm } from './judge-form'
import { nodeTypes } from './node-types'
import { promptFormShows, PromptForm } from './prompt-form'
import type { Configuration } from './step-type'
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
  switch (nodeTypes[type]?.form) {
    case 'value':
      return true
    case 'code':
      return Object.keys(configuration).every((key) => key === 'code' || key === 'language')
    case 'compare':
      return compareFormShows(configuration)
    case 'judge':
      return judgeFormShows(configuration)
    case 'prompt':
      return promptFormShows(configuration)
    default:
      return formShows(type, configuration)
  }
}

function Form({ type, ...props }: FormProps & { type: string }) {
  switch (nodeTypes[type]?.form) {
    case 'value':
      return <ValueForm {...props} />
    case 'code':
      return <CodeForm {...props} />
    case 'compare':
      return <CompareForm {...props} />
    case 'judge':
      return <JudgeForm {...props} />
    case 'prompt':
      return <PromptForm {...props} />
    default:
      return formFields(type).map((spec) => <FieldControl key={spec.name} spec={spec} {...props} />)
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
