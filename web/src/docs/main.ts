import SwaggerUI from 'swagger-ui-dist/swagger-ui-es-bundle'
import './docs.css'
import { filterOperations, layout, resolver } from './plugins'
import { loadSender, sessionHeaders } from './sender'
import { followTheme } from './theme'

followTheme()
const sender = await loadSender()
const about = document.getElementById('sender')
if (about !== null) about.textContent = sender.about

SwaggerUI({
  dom_id: '#reference',
  url: '/openapi.json',
  layout: 'Reference',
  plugins: [layout, resolver, filterOperations],
  deepLinking: true,
  filter: true,
  tryItOutEnabled: true,
  displayRequestDuration: true,
  // The schemas are shown where they are used.
  defaultModelsExpandDepth: -1,
  // The curl command has the key, but not what makes a request one of the session.
  showMutatedRequest: false,
  // Its colours have too little contrast.
  syntaxHighlight: { activated: false },
  // The default sends the document to a server of the maker.
  validatorUrl: null,
  requestInterceptor: (request) => ({ ...request, headers: { ...request.headers, ...sessionHeaders(sender, request) } }),
})
