/** Display names of providers by their API names. */
const titles: Record<string, string> = {
  anthropic: 'Anthropic',
  'amazon.bedrock': 'Amazon Bedrock',
  google: 'Google Gemini',
  mistral: 'Mistral',
  ollama: 'Ollama',
  openai: 'OpenAI',
  'openai.azure': 'Azure OpenAI',
  'openai.custom': 'OpenAI-compatible server',
  openrouter: 'OpenRouter',
  vertexai: 'Google Vertex AI',
  vllm: 'vLLM',
}

export function providerTitle(name: string): string {
  return titles[name] ?? name
}

export type Purpose = 'api_key' | 'base_url' | 'api_version'

export const purposeWords: Record<Purpose, string> = { api_key: 'API key', base_url: 'Base URL', api_version: 'API version' }

const examples: Record<string, string> = {
  AZURE_OPENAI_ENDPOINT: 'https://my-resource.openai.azure.com',
  OLLAMA_BASE_URL: 'http://127.0.0.1:11434/v1',
  OPENAI_CUSTOM_BASE_URL: 'http://127.0.0.1:8000/v1',
  VLLM_BASE_URL: 'http://127.0.0.1:8000/v1',
  AZURE_OPENAI_API_VERSION: '2024-10-21',
  OPENAI_API_VERSION: '2024-10-21',
}

/** An example value, where the format is not obvious. */
export function exampleOf(variable: string): string | undefined {
  return examples[variable] ?? (variable.endsWith('_BASE_URL') ? 'https://…' : undefined)
}

interface Variable {
  name: string
  purpose: Purpose
  required: boolean
  source: string | null
}

export interface PurposeGroup {
  purpose: Purpose
  required: boolean
  /** Alternative variables; the first one that is set, or else the first, represents them. */
  main: Variable
  others: Variable[]
}

/** Groups the variables of a provider by purpose. One of each group is enough. */
export function byPurpose(variables: Variable[]): PurposeGroup[] {
  const purposes = [...new Set(variables.map(({ purpose }) => purpose))]
  return purposes.flatMap((purpose) => {
    const same = variables.filter((variable) => variable.purpose === purpose)
    const main = same.find(({ source }) => source !== null) ?? same[0]
    return main ? [{ purpose, required: same.some(({ required }) => required), main, others: same.filter((variable) => variable !== main) }] : []
  })
}

/** What must be set before a provider can be called, or null. */
export function missing(groups: PurposeGroup[]): string | null {
  const names = groups.filter(({ required, main }) => required && main.source === null).map(({ main, others }) => [main, ...others].map(({ name }) => name).join(' or '))
  return names.length > 0 ? `Set ${names.join(' and ')}` : null
}
