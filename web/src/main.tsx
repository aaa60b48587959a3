import './lib/nonce'
import './styles.css'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { ApiError } from './api/client'
import { newRouter } from './router'
import { ToastProvider } from './ui/toast'
import { TooltipProvider } from './ui/tooltip'

const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      // Refused requests would be refused again; only lost connections are retried.
      retry: (failures, error) => failures < 2 && error instanceof ApiError && error.status === 0,
      staleTime: 10_000,
    },
  },
})
const router = newRouter(queryClient)

const root = document.getElementById('root')
if (root === null) throw new Error('the page has no root element')
createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <TooltipProvider>
        <ToastProvider>
          <RouterProvider router={router} />
        </ToastProvider>
      </TooltipProvider>
    </QueryClientProvider>
  </StrictMode>,
)
