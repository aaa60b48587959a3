import { setNonce } from 'get-nonce'

/** The nonce that the content security policy requires of style elements created by scripts. */
export const nonce = document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.content ?? ''

setNonce(nonce)
