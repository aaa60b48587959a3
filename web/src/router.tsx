import type { QueryClient } from '@tanstack/react-query'
import {
  createRootRouteWithContext, createRoute, createRouter, lazyRouteComponent, Outlet, redirect, type SearchSchemaInput,
} from '@tanstack/react-router'
import { ApiError } from './api/client'
import { rememberedWorkspace, rememberWorkspace, sessionQuery } from './api/session'
import { readSearch as readAlerts } from './pages/alerts/search'
import { readSearch as readAnalytics } from './pages/analytics/search'
import { readSearch as readDatasets } from './pages/datasets/search'
import { readSearch as readEvaluations } from './pages/evaluations/search'
import { readSearch as readPlayground } from './pages/playground/search'
import { readSearch as readPrompts } from './pages/prompts/search'
import { readSearch as readRequests } from './pages/requests/search'
import { readSearch as readSettings } from './pages/settings/search'
import { readSearch as readSkills } from './pages/skills/search'
import { readSearch as readTools } from './pages/tools/search'
import { outlineQuery } from './pages/traces/page/trace-query'
import { readGroupSearch, readSearch as readTraces } from './pages/traces/search'
import { readSearch as readWorkflows } from './pages/workflows/search'
import { NoWorkspace } from './shell/no-workspace'
import { Shell } from './shell/shell'
import { SignedOutWatch } from './shell/signed-out'
import { ErrorState, Loading, NotFound } from './ui/page'

function Root() {
  return (
    <>
      <Outlet />
      <SignedOutWatch />
    </>
  )
}

const root = createRootRouteWithContext<{ queryClient: QueryClient }>()({ component: Root })

/** Redirects signed-out users to the sign-in page, which returns here afterwards. Null is the session of a user who is not in the workspace. */
async function requireSession(queryClient: QueryClient, workspace: number | null, from: string) {
  try {
    return await queryClient.ensureQueryData(sessionQuery(workspace))
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) throw redirect({ to: '/sign-in', search: { from } })
    if (error instanceof ApiError && error.status === 403) return null
    throw error
  }
}

const home = createRoute({
  getParentRoute: () => root,
  path: '/',
  beforeLoad: async ({ context, location }) => {
    const session = await requireSession(context.queryClient, null, location.href)
    if (session === null) return
    const remembered = rememberedWorkspace()
    const workspace = session.workspaces.find(({ id }) => id === remembered)?.id ?? session.workspace_id
    throw redirect({ to: '/$workspace/requests', params: { workspace: String(workspace) }, search: {}, replace: true })
  },
  component: NoWorkspace,
})

const signIn = createRoute({
  getParentRoute: () => root,
  path: '/sign-in',
  validateSearch: (search: Record<string, unknown>): { from?: string } =>
    // Only paths of this app, so that a link cannot redirect elsewhere.
    typeof search.from === 'string' && /^\/(?!\/)/.test(search.from) ? { from: search.from } : {},
  component: lazyRouteComponent(() => import('./pages/sign-in')),
})

const workspace = createRoute({
  getParentRoute: () => root,
  path: '/$workspace',
  beforeLoad: async ({ context, params, location }) => {
    const id = Number(params.workspace)
    if (!Number.isInteger(id) || id < 1) throw redirect({ to: '/' })
    const session = await requireSession(context.queryClient, id, location.href)
    if (session !== null) rememberWorkspace(session.workspace_id)
    return { member: session !== null }
  },
  component: Workspace,
})

function Workspace() {
  return workspace.useRouteContext().member ? <Shell /> : <NoWorkspace />
}

/** A page of a workspace, loaded on the first visit. */
function page<Path extends string, Search extends object>(
  path: Path,
  load: () => Promise<{ default: React.ComponentType }>,
  validateSearch: (search: Record<string, unknown> & SearchSchemaInput) => Search,
) {
  return createRoute({ getParentRoute: () => workspace, path, validateSearch, component: lazyRouteComponent(load) })
}

/** The page of a trace. It may have many spans, so they are requested while the code of the page is loaded. */
const trace = createRoute({
  getParentRoute: () => workspace,
  path: '/traces/$trace',
  validateSearch: (search: Record<string, unknown> & SearchSchemaInput) => readTraces(search),
  // For links that are only pointed at, the code is enough.
  preload: false,
  loader: ({ context, params }) => {
    if (context.member) void context.queryClient.prefetchQuery(outlineQuery(Number(params.workspace), params.trace))
  },
  component: lazyRouteComponent(() => import('./pages/traces/trace')),
})

const routeTree = root.addChildren([
  home,
  signIn,
  workspace.addChildren([
    page('/requests', () => import('./pages/requests'), readRequests),
    page('/traces', () => import('./pages/traces'), readTraces),
    trace,
    page('/sessions', () => import('./pages/traces/sessions'), readGroupSearch),
    page('/sessions/$session', () => import('./pages/traces/session'), readGroupSearch),
    page('/users', () => import('./pages/traces/users'), readGroupSearch),
    page('/users/$user', () => import('./pages/traces/user'), readGroupSearch),
    page('/alerts', () => import('./pages/alerts'), readAlerts),
    page('/analytics', () => import('./pages/analytics'), readAnalytics),
    page('/dashboards/$dashboard', () => import('./pages/analytics/dashboard'), readAnalytics),
    page('/prompts', () => import('./pages/prompts'), readPrompts),
    page('/prompts/$prompt', () => import('./pages/prompts/template'), readPrompts),
    page('/playground', () => import('./pages/playground'), readPlayground),
    page('/workflows', () => import('./pages/workflows'), readWorkflows),
    page('/workflows/$workflow', () => import('./pages/workflows/workflow'), readWorkflows),
    page('/datasets', () => import('./pages/datasets'), readDatasets),
    page('/datasets/$group', () => import('./pages/datasets/dataset'), readDatasets),
    page('/evaluations', () => import('./pages/evaluations'), readEvaluations),
    page('/evaluations/waiting', () => import('./pages/evaluations/waiting'), readEvaluations),
    page('/evaluations/$evaluation', () => import('./pages/evaluations/evaluation'), readEvaluations),
    page('/skills', () => import('./pages/skills'), readSkills),
    page('/skills/$skill', () => import('./pages/skills/skill'), readSkills),
    page('/tools', () => import('./pages/tools'), readTools),
    page('/tools/$tool', () => import('./pages/tools/tool'), readTools),
    page('/settings/$section', () => import('./pages/settings'), readSettings),
  ]),
])

export function newRouter(queryClient: QueryClient) {
  return createRouter({
    routeTree,
    basepath: '/app',
    context: { queryClient },
    defaultPreload: 'intent',
    defaultPendingComponent: Loading,
    defaultErrorComponent: ({ error, reset }) => <ErrorState error={error} retry={reset} />,
    defaultNotFoundComponent: NotFound,
    scrollRestoration: true,
  })
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof newRouter>
  }
}
