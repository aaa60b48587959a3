export { TracePage as default } from './page/trace-page'
