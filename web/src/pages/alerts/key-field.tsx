import { useQuery } from '@tanstack/react-query'
import { api, call } from '@/api/client'
import { useMay, useSession } from '@/api/session'
import { conditionValue, withConditionValue } from '@/query/condition-value'
import { Field, Select } from '@/ui/field'

/** The names of API keys: of those that requests were logged with and, for whoever may list them, of all active ones. */
function useKeyNames(): string[] {
  const { workspace_id: workspace } = useSession()
  const manages = useMay('MANAGE_API_KEYS')
  const used = useQuery({
    queryKey: ['w', workspace, 'suggestions', 'api_key'],
    queryFn: async ({ signal }) => (await call(api.GET('/api/public/v2/requests/suggestions', { params: { query: { field: 'api_key' } }, signal }))).values,
    staleTime: 30_000,
  })
  const keys = useQuery({ queryKey: ['w', workspace, 'keys'], queryFn: async () => (await call(api.GET('/api/admin/keys'))).keys, enabled: manages })
  const active = (keys.data ?? []).filter(({ revoked_at }) => revoked_at == null).map(({ name }) => name)
  return [...new Set([...(used.data ?? []), ...active])].filter((name) => name !== '').sort((one, other) => one.localeCompare(other))
}

/** Chooses the API key that an alert or a budget is about. It is a part of the query. */
export function KeyField({ q, onChange }: { q: string; onChange: (q: string) => void }) {
  const names = useKeyNames()
  const chosen = conditionValue(q, 'api_key') ?? ''
  return (
    <Field label="API key" hint="Also counts keys of the same name, such as rotated ones.">
      {(control) => (
        <Select {...control} value={chosen} onChange={(event) => onChange(withConditionValue(q, 'api_key', event.target.value || null))}>
          <option value="">All keys</option>
          {(chosen === '' || names.includes(chosen) ? names : [chosen, ...names]).map((name) => <option key={name} value={name}>{name}</option>)}
        </Select>
      )}
    </Field>
  )
}
