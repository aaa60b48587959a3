import type { Run } from '@/evaluation/data'
import { readScore, showScore } from '../score'

const [width, height] = [96, 22]

/** The scores of the last runs as a line, oldest first. */
export function Trend({ runs }: { runs: Run[] }) {
  const scores = runs
    .map(({ score }) => readScore(score)?.overall ?? null)
    .filter((score) => score !== null)
    .slice(0, 20)
    .reverse()
  if (scores.length < 2) return null
  const low = Math.min(...scores)
  const span = Math.max(...scores) - low || 1
  const points = scores.map((score, at) => [4 + (at / (scores.length - 1)) * (width - 8), height - 4 - ((score - low) / span) * (height - 8)] as const)
  const last = points.at(-1)
  return (
    <svg role="img" aria-label={`Scores of the last ${scores.length} runs: ${scores.map(showScore).join(', ')}`} width={width} height={height} className="text-accent">
      <polyline points={points.map((point) => point.join()).join(' ')} fill="none" stroke="currentColor" strokeWidth={1.5} strokeLinejoin="round" />
      {last && <circle cx={last[0]} cy={last[1]} r={2.5} fill="currentColor" />}
    </svg>
  )
}
