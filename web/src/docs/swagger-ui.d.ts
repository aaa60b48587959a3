declare module 'swagger-ui-dist/swagger-ui-es-bundle' {
  import type * as React from 'react'

  /** The parts of Swagger UI that plugins get. It has a React of its own. */
  export interface System {
    React: typeof React
    getComponent: (name: string, container?: boolean) => React.ComponentType<Record<string, unknown>>
    specSelectors: { loadingStatus: () => string }
    authActions: { authorize: (keys: Record<string, unknown>) => void; logout: (schemes: string[]) => void }
    layoutActions: { updateFilter: (phrase: string) => void }
  }

  export interface SentRequest {
    url: string
    method?: string
    headers: Record<string, string>
  }

  export default function SwaggerUI(options: Record<string, unknown> & { requestInterceptor?: (request: SentRequest) => SentRequest }): void
}
