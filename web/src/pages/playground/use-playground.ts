import { useCallback, useEffect, useRef, useState } from 'react'
import type { Message } from '@/template/types'
import { setTalk, type Session } from './model/session'
import { forget, save } from './model/storage'
import type { Answer } from './run/answer'
import { Answers } from './run/answers'
import { obstacle, runBody } from './run/body'

export interface Playground {
  session: Session
  answers: Answers
  change: (update: (session: Session) => Session) => void
  /** Runs one column, or all of them. */
  run: (id?: number) => void
  /** Continues the conversation of a column: sends the added messages immediately. */
  goOn: (id: number, added: Message[]) => void
  /** Whether the browser could store the session. */
  kept: boolean
  /** Stops everything and deletes the stored session. */
  discard: () => void
}

/** The initial state, and where the browser stores it. */
export interface Beginning {
  session: Session
  answers: Record<string, Answer>
  prefix: string
  seed: string
}

const savingDelay = 500

export function usePlayground({ session: first, answers: firstAnswers, prefix, seed }: Beginning): Playground {
  const [session, setSession] = useState(first)
  const [answers] = useState(() => new Answers(firstAnswers))
  const [kept, setKept] = useState(true)
  // The latest state, for events between two renders.
  const latest = useRef(first)
  const touched = useRef(false)

  const change = useCallback((update: (session: Session) => Session) => {
    touched.current = true
    latest.current = update(latest.current)
    setSession(latest.current)
  }, [])

  const run = useCallback((id?: number) => {
    touched.current = true
    const { columns } = latest.current
    for (const column of id === undefined ? columns : columns.filter((one) => one.id === id)) {
      const problem = obstacle(latest.current, column)
      if (problem === null) void answers.run(column.id, runBody(latest.current, column))
      else answers.refuse(column.id, problem)
    }
  }, [answers])

  const goOn = useCallback((id: number, added: Message[]) => {
    change((old) => setTalk(old, id, [...(old.columns.find((column) => column.id === id)?.talk ?? []), ...added]))
    run(id)
  }, [change, run])

  const keep = useCallback(() => {
    if (!touched.current) return
    setKept(save(localStorage, prefix, seed, { session: latest.current, answers: answers.all(), at: Date.now() }))
  }, [answers, prefix, seed])

  const discard = useCallback(() => {
    touched.current = false
    answers.stopAll()
    forget(localStorage, prefix, seed)
  }, [answers, prefix, seed])

  useEffect(() => {
    const timer = setTimeout(keep, savingDelay)
    return () => clearTimeout(timer)
  }, [session, keep])

  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const stopListening = answers.subscribe(() => {
      clearTimeout(timer)
      timer = setTimeout(keep, savingDelay)
    })
    window.addEventListener('pagehide', keep)
    return () => {
      stopListening()
      clearTimeout(timer)
      window.removeEventListener('pagehide', keep)
      answers.stopAll()
      keep()
    }
  }, [answers, keep])

  return { session, answers, change, run, goOn, kept, discard }
}
