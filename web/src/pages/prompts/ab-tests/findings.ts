import type { ABTestArm } from '@/template/data'

type Finding = ABTestArm['findings'][number]

/** What can be said about all versions, clear differences first. */
export function findingsOf(versions: ABTestArm[]): Finding[] {
  const rank = (finding: Finding) => order.indexOf(finding.outcome)
  return versions.flatMap(({ findings }) => findings).sort((a, b) => rank(a) - rank(b))
}

const order: Finding['outcome'][] = ['worse', 'better', 'no clear difference', 'not enough requests']

/** The names of the scores that a version has. */
export function scoreNames(versions: ABTestArm[]): string[] {
  return [...new Set(versions.flatMap(({ scores }) => scores.map(({ name }) => name)))].sort()
}
