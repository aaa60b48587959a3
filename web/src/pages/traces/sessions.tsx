export { SessionList as default } from './groups/lists'
