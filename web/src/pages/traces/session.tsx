export { SessionPage as default } from './session/session-page'
