import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api, call, type Schemas } from '@/api/client'
import { traceBody } from '@/query/state'
import { pageSize, type ListQuery } from '../list/list-query'
import type { GroupSort } from '../search'

export type SessionItem = Schemas['TraceSessionItem']
export type UserItem = Schemas['TraceUserItem']

/** What sessions and users have in common. */
export type GroupItem = Omit<SessionItem & UserItem, 'session_id' | 'user_id' | 'user_count' | 'session_count'>

const asked = { staleTime: Infinity, placeholderData: keepPreviousData, refetchOnWindowFocus: false } as const

function bodyOf({ state, sort, order, epoch }: ListQuery<GroupSort>, page: number) {
  return { ...traceBody(state, epoch), sort_by: sort, sort_order: order, page, per_page: pageSize }
}

/** A page of sessions, from 1. */
export function sessionsQuery(list: ListQuery<GroupSort>, page: number) {
  const { workspace, ...rest } = list
  return queryOptions({
    queryKey: ['w', workspace, 'traces', 'sessions', { ...rest, page }],
    queryFn: ({ signal }) => call(api.POST('/api/public/v2/sessions/search', { body: bodyOf(list, page), signal })),
    ...asked,
  })
}

/** A page of users, from 1. */
export function usersQuery(list: ListQuery<GroupSort>, page: number) {
  const { workspace, ...rest } = list
  return queryOptions({
    queryKey: ['w', workspace, 'traces', 'users', { ...rest, page }],
    queryFn: ({ signal }) => call(api.POST('/api/public/v2/users/search', { body: bodyOf(list, page), signal })),
    ...asked,
  })
}
