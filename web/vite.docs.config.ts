import { defineConfig } from 'vite'

// The API reference. It is a build of its own: with two pages in one build, the
// app would load more and smaller files.
export default defineConfig({
  base: '/app/',
  logLevel: 'warn',
  build: {
    outDir: '../internal/ui/dist',
    emptyOutDir: false,
    copyPublicDir: false,
    // No inlined assets: the content security policy forbids data: fonts.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: { input: 'docs.html' },
    // Swagger UI is one file.
    chunkSizeWarningLimit: 1700,
  },
})
