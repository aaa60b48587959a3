import type { Schemas } from '@/api/client'
import type { Option } from '@/ui/combobox'

type Provider = Pick<Schemas['ProviderItem'], 'name' | 'configured' | 'models'>

/** The maximum number of options; typing finds the rest. */
const most = 80

/** Provider and model as one value. Model names may contain slashes; provider names do not. */
export function writeChoice(provider: string, name: string): string {
  return `${provider}/${name}`
}

export function readChoice(value: string): { provider: string; name: string } {
  const slash = value.indexOf('/')
  return slash < 0 ? { provider: '', name: value } : { provider: value.slice(0, slash), name: value.slice(slash + 1) }
}

/**
 * The models that match the typed text, callable ones first; then the typed text
 * as an unlisted model, and the selected one.
 */
export function modelOptions(providers: Provider[], typed: string, chosen: { provider: string; name: string }): Option[] {
  const words = typed.toLowerCase().split(/\s+/).filter((word) => word !== '')
  const listed: Option[] = [...providers.filter(({ configured }) => configured), ...providers.filter(({ configured }) => !configured)]
    .flatMap(({ name: provider, models, configured }) => models.map((name) => ({ value: writeChoice(provider, name), label: writeChoice(provider, name), ...(configured ? {} : { note: 'no API key' }) })))
    .filter(({ value }) => words.every((word) => value.toLowerCase().includes(word)))
  const current = { value: writeChoice(chosen.provider, chosen.name), label: writeChoice(chosen.provider, chosen.name), note: 'chosen' }
  const shown = listed.slice(0, most)
  for (const option of [...asTyped(providers, typed.trim(), chosen.provider), ...(chosen.name === '' ? [] : [current])]) {
    if (!shown.some(({ value }) => value === option.value)) shown.push(option)
  }
  return shown
}

/** `acme/large` names the provider; another name belongs to the current provider and to those that are ready. */
function asTyped(providers: Provider[], typed: string, current: string): Option[] {
  if (typed === '' || /\s/.test(typed)) return []
  const named = readChoice(typed)
  const whole = named.provider !== '' && named.name !== '' ? [typed] : []
  const ready = providers.filter(({ configured }) => configured).map(({ name }) => name)
  const likely = [...new Set([...(current === '' ? [] : [current]), ...ready])].filter((provider) => provider !== named.provider).map((provider) => writeChoice(provider, typed))
  return [...whole, ...likely].map((value) => ({ value, label: value, note: 'as typed' }))
}
