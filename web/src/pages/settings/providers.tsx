import { useQuery } from '@tanstack/react-query'
import { Trash2 } from 'lucide-react'
import { useState } from 'react'
import { api, call, type Schemas } from '@/api/client'
import { useMay, useSession } from '@/api/session'
import { Badge } from '@/ui/badge'
import { Button, IconButton } from '@/ui/button'
import { ErrorState, Loading } from '@/ui/page'
import { type EnvVar, useDeleteEnvVar, useEnvVars } from './env-vars'
import { byPurpose, exampleOf, missing, providerTitle, purposeWords, type PurposeGroup } from './provider-words'
import { Section } from './section'
import { ValueDialog } from './value-dialog'

type Provider = Schemas['ProviderItem']

export function ProvidersSection() {
  const { workspace_id } = useSession()
  const manages = useMay('MANAGE_ENV_VARS')
  const list = useQuery({
    queryKey: ['w', workspace_id, 'providers'],
    queryFn: async () => (await call(api.GET('/api/public/v2/providers'))).providers,
  })
  // Configured providers first, otherwise in the order of the server.
  const providers = list.data && [...list.data.filter(({ configured }) => configured), ...list.data.filter(({ configured }) => !configured)]
  return (
    <Section id="providers">
      {list.isPending && <Loading />}
      {list.isError && <ErrorState error={list.error} retry={() => void list.refetch()} />}
      {providers && (
        <ul className="divide-y divide-line rounded-lg border border-line bg-surface">
          {providers.map((provider) => <ProviderRow key={provider.name} provider={provider} manages={manages} />)}
        </ul>
      )}
      <p className="max-w-3xl text-[13px] text-faint">
        Keys are stored encrypted as environment variables of this workspace. They take precedence over variables of the same name on the server.
        {!manages && ' You do not have permission to change them.'}
      </p>
    </Section>
  )
}

function ProviderRow({ provider, manages }: { provider: Provider; manages: boolean }) {
  const groups = byPurpose(provider.variables)
  const optional = groups.filter(isSpare)
  return (
    <li className="grid gap-x-6 gap-y-2 px-4 py-3 lg:grid-cols-[15rem_1fr]">
      <div>
        <h2 className="flex flex-wrap items-center gap-2 font-medium">
          {providerTitle(provider.name)}
          {provider.configured ? <Badge tone="good">ready</Badge> : <Badge title={missing(groups) ?? undefined}>not configured</Badge>}
        </h2>
        <p className="text-[13px] text-faint">
          <code className="font-mono text-xs">{provider.name}</code>
          {provider.models.length > 0 && <> · {provider.models.length} models</>}
        </p>
        {provider.configured && <p className="text-[13px] text-dim">{whose(provider.source)}</p>}
      </div>
      <div className="flex min-w-0 flex-col gap-1.5">
        {groups.filter((group) => !isSpare(group)).map((group) => <VariableRow key={group.purpose} group={group} provider={provider} manages={manages} />)}
        {optional.length > 0 && (
          <details>
            <summary className="w-fit text-[13px] text-faint hover:text-ink">Optional: {optional.map(({ purpose }) => purposeWords[purpose]).join(', ')}</summary>
            <div className="flex flex-col gap-1.5 pt-1.5">
              {optional.map((group) => <VariableRow key={group.purpose} group={group} provider={provider} manages={manages} />)}
            </div>
          </details>
        )}
      </div>
    </li>
  )
}

/** Reports whether the variable is neither required nor set. Those are collapsed. */
function isSpare({ required, main, purpose }: PurposeGroup): boolean {
  return !required && main.source === null && purpose !== 'api_key'
}

function whose(source: Provider['source']): string {
  return source === 'environment' ? 'Uses the configuration of the server' : 'Uses the configuration of this workspace'
}

function VariableRow({ group, provider, manages }: { group: PurposeGroup; provider: Provider; manages: boolean }) {
  const [editing, setEditing] = useState(false)
  const remove = useDeleteEnvVar()
  const { purpose, main, others, required } = group
  const own = useEnvVars().data?.find(({ key }) => key === main.name)
  const replaces = own !== undefined && !own.is_empty
  const title = manages ? undefined : 'You do not have permission to manage environment variables'
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
      <div className="min-w-0 flex-1 basis-56">
        <span className="text-[13px] font-medium">{purposeWords[purpose]}</span>
        {!required && <span className="text-[13px] text-faint"> (optional)</span>}
        <code className="block font-mono text-xs break-words text-faint">
          {main.name}
          {main.source === null && others.map(({ name }) => ` or ${name}`)}
        </code>
      </div>
      <span className="text-[13px] text-dim"><State source={main.source} own={own} /></span>
      <span className="ml-auto flex items-center gap-1">
        <Button small disabled={!manages} title={title} onClick={() => setEditing(true)} aria-label={`${replaces ? 'Replace' : 'Set'} ${main.name}`}>{replaces ? 'Replace' : 'Set'}</Button>
        {own && (
          <IconButton
            small
            label={`Delete ${main.name}`}
            disabled={!manages}
            onClick={() => void remove(own, `Calls to ${providerTitle(provider.name)} will use the configuration of the server, or be refused.`)}
          >
            <Trash2 />
          </IconButton>
        )}
      </span>
      {editing && <ValueDialog name={main.name} label={`${purposeWords[purpose]} of ${providerTitle(provider.name)}`} secret={purpose === 'api_key'} placeholder={exampleOf(main.name)} replaces={replaces} onClose={() => setEditing(false)} />}
    </div>
  )
}

function State({ source, own }: { source: string | null; own: EnvVar | undefined }) {
  if (source === 'environment') return 'set on the server'
  if (source === 'workspace' || (own && !own.is_empty)) return own?.value_suffix ? <>set, ends in <code className="font-mono text-xs">{own.value_suffix}</code></> : 'set'
  return null
}
