import { useSyncExternalStore } from 'react'
import { ApiError } from '@/api/client'
import { finished, isWaiting, newAnswer, withPiece, type Answer } from './answer'
import type { RunBody } from './body'
import { callModel, RunError } from './call'

/** How often the page updates, in milliseconds, because models send many small deltas. */
const pace = 40

/**
 * The answers of all columns. They are kept outside of the page state, so that a
 * delta re-renders one answer and not every editor.
 */
export class Answers {
  private readonly current = new Map<number, Answer>()
  private readonly calls = new Map<number, AbortController>()
  private readonly listeners = new Set<() => void>()
  private timer: ReturnType<typeof setTimeout> | null = null

  constructor(kept: Record<string, Answer> = {}) {
    for (const [id, answer] of Object.entries(kept)) this.current.set(Number(id), answer)
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener)
    return () => this.listeners.delete(listener)
  }

  get(id: number): Answer | null {
    return this.current.get(id) ?? null
  }

  running(): boolean {
    return this.calls.size > 0
  }

  answered(): number {
    return [...this.current.values()].filter(({ state, text }) => state !== 'running' && text !== '').length
  }

  waiting(): number[] {
    return [...this.current].filter(([, answer]) => isWaiting(answer)).map(([id]) => id)
  }

  /** All answers, to be stored. One in progress is stored with its partial text. */
  all(): Record<string, Answer> {
    return Object.fromEntries([...this.current].map(([id, answer]) => [id, answer.state === 'running' ? { ...answer, state: 'stopped' as const } : answer]))
  }

  /** Calls the model for a column and replaces its previous answer. */
  async run(id: number, body: RunBody): Promise<void> {
    this.stop(id)
    const call = new AbortController()
    this.calls.set(id, call)
    this.set(id, newAnswer(Date.now()))
    // A column may be run again before its previous call has ended.
    const isCurrent = () => this.calls.get(id) === call
    const change = (how: (answer: Answer) => Answer) => {
      const answer = this.current.get(id)
      if (isCurrent() && answer !== undefined) this.current.set(id, how(answer))
    }
    try {
      const done = await callModel(body, call.signal, (piece) => {
        change((answer) => withPiece(answer, piece, Date.now()))
        this.announceSoon()
      })
      change((answer) => finished(answer, done))
    } catch (error) {
      change((answer) => (call.signal.aborted ? { ...answer, state: 'stopped' } : failed(answer, error)))
    }
    if (isCurrent()) this.calls.delete(id)
    this.announce()
  }

  /** Records why a column was not run. */
  refuse(id: number, message: string): void {
    this.stop(id)
    this.set(id, { ...newAnswer(Date.now()), state: 'failed', failure: { message, refused: false } })
  }

  stop(id: number): void {
    const call = this.calls.get(id)
    if (call === undefined) return
    const answer = this.current.get(id)
    if (answer !== undefined) this.current.set(id, { ...answer, state: 'stopped' })
    this.calls.delete(id)
    call.abort()
    this.announce()
  }

  stopAll(): void {
    for (const id of [...this.calls.keys()]) this.stop(id)
  }

  clear(id: number): void {
    this.stop(id)
    this.current.delete(id)
    this.announce()
  }

  private set(id: number, answer: Answer): void {
    this.current.set(id, answer)
    this.announce()
  }

  private announce(): void {
    if (this.timer !== null) clearTimeout(this.timer)
    this.timer = null
    for (const listener of this.listeners) listener()
  }

  private announceSoon(): void {
    this.timer ??= setTimeout(() => this.announce(), pace)
  }
}

function failed(answer: Answer, error: unknown): Answer {
  const message = error instanceof ApiError && error.problems.length > 1 ? error.problems.join('\n') : error instanceof Error ? error.message : String(error)
  return { ...answer, state: 'failed', failure: { message, refused: error instanceof ApiError }, request: error instanceof RunError ? error.request : null }
}

export function useAnswer(answers: Answers, id: number): Answer | null {
  return useSyncExternalStore(answers.subscribe, () => answers.get(id))
}

/** The columns that have answered and can continue: those that wait for no tool. */
export function useWaiting(answers: Answers): number[] {
  const ids = useSyncExternalStore(answers.subscribe, () => answers.waiting().join(' '))
  return ids === '' ? [] : ids.split(' ').map(Number)
}

/** The number of columns with an answer. */
export function useAnswered(answers: Answers): number {
  return useSyncExternalStore(answers.subscribe, () => answers.answered())
}

export function useRunning(answers: Answers): boolean {
  return useSyncExternalStore(answers.subscribe, () => answers.running())
}
