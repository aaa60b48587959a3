import type { ABTest } from './data'

/** The shares of an A/B test in words, such as "90% version 1 and 10% version 2". */
export function splitWords({ weights, segments }: Pick<ABTest, 'weights' | 'segments'>): string {
  const shares = weights.filter(({ weight }) => weight > 0).map(({ version_number, weight }) => `${weight}% version ${version_number}`)
  const joined = shares.length < 2 ? shares.join('') : `${shares.slice(0, -1).join(', ')} and ${shares.at(-1)}`
  return (segments ?? []).length === 0 ? joined : `${joined}, and its own split for each segment`
}

/** What requests for a label get after it moved to a version. */
export function afterMove(prompt: string, version: number, test: ABTest | undefined): string {
  if (test === undefined) return `Applications that fetch ${prompt} by this label will get version ${version} immediately.`
  return `The A/B test ${test.name} decides what applications get, and does not change: ${splitWords(test)}. Version ${version} is served when the test ends.`
}

/** The labels of a template as options of a new version, each with its A/B test. */
export function labelOptions(labels: { release_label_id: number; release_label: string; prompt_version_number: number }[], tests: ABTest[]): { name: string; version: number; test?: string }[] {
  return labels.map(({ release_label_id, release_label, prompt_version_number }) => {
    const test = tests.find((one) => one.release_label_id === release_label_id)
    return { name: release_label, version: prompt_version_number, ...(test === undefined ? {} : { test: `A/B test ${test.name} serves ${splitWords(test)}` }) }
  })
}
