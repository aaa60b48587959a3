import { useMay } from '@/api/session'

/** Whether the user may call models, and why not. */
export function useMayRun(): { mayRun: boolean; why: string | undefined } {
  const mayLog = useMay('REQUEST_CREATE')
  const mayEdit = useMay('PROMPT_EDIT')
  const mayRun = mayLog && mayEdit
  return { mayRun, why: mayRun ? undefined : 'Your role does not allow you to run prompts' }
}
