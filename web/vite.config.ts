import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

// The program that `npm run dev` asks for everything but the app's own files.
const program = process.env.PROMPTUARY_URL ?? 'http://127.0.0.1:8080'

export default defineConfig({
  base: '/app/',
  plugins: [react(), tailwindcss()],
  resolve: { alias: { '@': fileURLToPath(new URL('./src', import.meta.url)) } },
  build: {
    // The folder is embedded into the program. The file that keeps it in a
    // fresh clone must survive, so the make target empties it instead.
    outDir: '../internal/ui/dist',
    emptyOutDir: false,
    // Everything is a file of its own: the page's policy allows no data: fonts.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // The editor with its languages is larger than the default; it is fetched when one is shown.
    chunkSizeWarningLimit: 700,
  },
  server: {
    proxy: { '^/(?!app/)': { target: program, ws: true } },
  },
  // The tested functions keep nothing between calls, so their files can share a worker.
  // The time limit is for tests that hang; a busy machine must not reach it.
  test: { environment: 'node', include: ['src/**/*.test.ts'], pool: 'threads', isolate: false, testTimeout: 60_000 },
})
