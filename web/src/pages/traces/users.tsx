export { UserList as default } from './groups/lists'
