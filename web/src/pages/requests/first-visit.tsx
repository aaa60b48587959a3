import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { KeyRound } from 'lucide-react'
import { useEffect, useState } from 'react'
import { api, call } from '@/api/client'
import { useMay, useSession } from '@/api/session'
import type { RequestItem } from '@/request/data'
import { Button } from '@/ui/button'
import { CopyButton, Snippet } from '@/ui/copy'
import { Page } from '@/ui/page'
import { TabPanel, Tabs } from '@/ui/tabs'
import { useToast } from '@/ui/toast'
import { anyQuery } from './log-query'
import { firstRequest, type Language } from './snippets'

const languages: { value: Language; label: string }[] = [{ value: 'curl', label: 'curl' }, { value: 'python', label: 'Python' }, { value: 'javascript', label: 'JavaScript' }]

/** Shown in a workspace without requests: creates a key, shows how to log the first request, and waits for it. */
export default function FirstVisit({ onArrival }: { onArrival: (request: RequestItem) => void }) {
  const { workspace_id: workspace } = useSession()
  const [key, setKey] = useState<string | null>(null)
  const [language, setLanguage] = useState<Language>('curl')
  const arrived = useQuery(anyQuery(workspace)).data
  useEffect(() => {
    if (arrived != null) onArrival(arrived)
  }, [arrived, onArrival])
  return (
    <Page title="Requests">
      <div className="mx-auto flex max-w-3xl flex-col gap-6 px-4 py-8">
        <div>
          <h2 className="text-lg font-semibold">Log your first request</h2>
          <p className="mt-1 text-dim">Promptuary logs the calls that your application makes to models: input, output, latency and cost. Set it up in two steps.</p>
        </div>
        <Step number={1} title="Create an API key">
          <KeyMaker value={key} onMake={setKey} />
        </Step>
        <Step number={2} title="Log a request">
          <Tabs label="Language" value={language} onChange={setLanguage} tabs={languages}>
            {languages.map(({ value }) => (
              <TabPanel key={value} value={value} className="pt-3">
                <Snippet code={firstRequest(value, window.location.origin, key)} />
              </TabPanel>
            ))}
          </Tabs>
        </Step>
        <p role="status" className="flex items-center gap-2.5 rounded-md border border-line bg-surface px-4 py-3 text-dim">
          <span aria-hidden className="size-2 animate-pulse rounded-full bg-accent" /> Waiting for the first request. It will appear here automatically.
        </p>
        <p className="text-[13px] text-faint">
          To import existing logs, use <code className="font-mono">POST /log-requests</code>, up to 1,000 at a time. See the <a href="/docs" className="text-accent-ink underline">API reference</a> for all operations.
        </p>
      </div>
    </Page>
  )
}

function Step({ number, title, children }: { number: number; title: string; children: React.ReactNode }) {
  return (
    <section className="flex gap-4">
      <span aria-hidden className="grid size-7 shrink-0 place-items-center rounded-full bg-accent-soft font-semibold text-accent-ink">{number}</span>
      <div className="min-w-0 flex-1">
        <h3 className="mb-2 leading-7 font-semibold">{title}</h3>
        {children}
      </div>
    </section>
  )
}

function KeyMaker({ value, onMake }: { value: string | null; onMake: (key: string) => void }) {
  const { workspace_id: workspace } = useSession()
  const may = useMay('MANAGE_API_KEYS')
  const toast = useToast()
  const queryClient = useQueryClient()
  const make = useMutation({
    mutationFn: () => call(api.POST('/api/admin/keys', { params: { query: { workspace_id: workspace } }, body: { name: 'First key' } })),
    onSuccess: ({ api_key: key }) => {
      onMake(key)
      void queryClient.invalidateQueries({ queryKey: ['w', workspace, 'keys'] })
    },
    onError: toast.failed,
  })
  if (value !== null) {
    return (
      <div className="flex flex-col gap-1.5">
        <div className="flex items-center gap-2 rounded-md border border-line bg-sunken px-3 py-1.5">
          <code className="min-w-0 flex-1 font-mono text-[13px] break-all">{value}</code>
          <CopyButton text={value} label="Copy key" />
        </div>
        <p className="text-[13px] text-faint">This key is shown only once. Store it in a safe place. The code below already contains it.</p>
      </div>
    )
  }
  if (!may) return <p className="text-dim">Your role does not allow you to create keys. Ask an administrator of the workspace for one, and use it in place of YOUR_KEY.</p>
  return (
    <div className="flex flex-wrap items-center gap-3">
      <Button look="primary" busy={make.isPending} onClick={() => make.mutate()}><KeyRound /> Create key</Button>
      <span className="text-[13px] text-faint">Shown once and added to the code below.</span>
    </div>
  )
}
