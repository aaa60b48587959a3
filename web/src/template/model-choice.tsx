import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useSession } from '@/api/session'
import { providersQuery } from './providers'
import { Combobox } from '@/ui/combobox'
import { modelOptions, readChoice, writeChoice } from './model-options'

/** Selects any model of any provider: known ones by search, others as typed. */
export function ModelChoice({ provider, name, onChange, label, className, placeholder = 'Choose a model…', disabled }: {
  provider: string
  name: string
  onChange: (provider: string, name: string) => void
  label: string
  className?: string
  /** What is shown if no model is selected. */
  placeholder?: string
  disabled?: boolean
}) {
  const { workspace_id: workspace } = useSession()
  const providers = useQuery(providersQuery(workspace)).data ?? []
  const [typed, setTyped] = useState('')
  return (
    <Combobox
      label={label}
      placeholder={placeholder}
      disabled={disabled}
      className={className}
      options={modelOptions(providers, typed, { provider, name })}
      value={name === '' ? null : writeChoice(provider, name)}
      onSearch={setTyped}
      onChange={(value) => {
        const chosen = readChoice(value)
        setTyped('')
        onChange(chosen.provider, chosen.name)
      }}
    />
  )
}
