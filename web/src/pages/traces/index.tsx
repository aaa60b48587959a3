export { TraceList as default } from './list/trace-list'
