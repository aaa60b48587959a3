import { setNonce } from 'get-nonce'

/** The nonce with which the page's policy allows style elements that scripts make. */
export const nonce = document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.content ?? ''

setNonce(nonce)
