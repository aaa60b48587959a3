import { describe, expect, it } from 'vitest'
import { byPurpose, exampleOf, missing, providerTitle } from './provider-words'

const google = [
  { name: 'GOOGLE_API_KEY', purpose: 'api_key', required: true, source: null },
  { name: 'GEMINI_API_KEY', purpose: 'api_key', required: true, source: null },
  { name: 'GOOGLE_GEMINI_BASE_URL', purpose: 'base_url', required: false, source: null },
] as const

describe('providers', () => {
  it('joins alternative variables', () => {
    const groups = byPurpose([...google])
    expect(groups.map(({ main, others }) => [main.name, ...others.map(({ name }) => name)])).toEqual([['GOOGLE_API_KEY', 'GEMINI_API_KEY'], ['GOOGLE_GEMINI_BASE_URL']])
    expect(missing(groups)).toBe('Set GOOGLE_API_KEY or GEMINI_API_KEY')
  })

  it('picks the variable that is set', () => {
    const groups = byPurpose([google[0], { ...google[1], source: 'workspace' }, google[2]])
    expect(groups[0]?.main.name).toBe('GEMINI_API_KEY')
    expect(missing(groups)).toBeNull()
  })

  it('shows unknown providers by their API name', () => {
    expect([providerTitle('openai.azure'), providerTitle('newcomer')]).toEqual(['Azure OpenAI', 'newcomer'])
  })

  it('shows example URLs', () => {
    expect([exampleOf('MISTRAL_BASE_URL'), exampleOf('MISTRAL_API_KEY')]).toEqual(['https://…', undefined])
  })
})
