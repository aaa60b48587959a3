import { useMay } from '@/api/session'

/** Whether the person may call models here, and why not. */
export function useMayRun(): { mayRun: boolean; why: string | undefined } {
  const mayLog = useMay('REQUEST_CREATE')
  const mayEdit = useMay('PROMPT_EDIT')
  const mayRun = mayLog && mayEdit
  return { mayRun, why: mayRun ? undefined : 'Calls cost money: your role lets you look at prompts, but not run them' }
}
