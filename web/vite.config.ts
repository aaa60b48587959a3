import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

// The server that `npm run dev` proxies API requests to.
const program = process.env.PROMPTUARY_URL ?? 'http://127.0.0.1:8080'

export default defineConfig({
  base: '/app/',
  plugins: [react(), tailwindcss()],
  resolve: { alias: { '@': fileURLToPath(new URL('./src', import.meta.url)) } },
  build: {
    // The folder is embedded in the program. Its placeholder file must survive, so
    // the make target empties the folder instead.
    outDir: '../internal/ui/dist',
    emptyOutDir: false,
    // No inlined assets: the content security policy forbids data: fonts.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // The code editor exceeds the default limit; it is loaded on demand.
    chunkSizeWarningLimit: 700,
  },
  server: {
    proxy: { '^/(?!app/)': { target: program, ws: true } },
  },
  // The tested functions have no global state, so test files can share a worker.
  // The timeout is for tests that hang; a busy machine must not reach it.
  test: { environment: 'node', include: ['src/**/*.test.ts'], pool: 'threads', isolate: false, testTimeout: 60_000 },
})
