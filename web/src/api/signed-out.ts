/** What is done when the server says that nobody is signed in. */
export interface SignedOutActions {
  /** Asks the server anew. Resolves to whether somebody is signed in. */
  check: () => Promise<boolean>
  /** Whether something would be lost by going to the sign-in page. */
  editing: () => boolean
  /** Goes to the sign-in page, which leads back. */
  leave: () => void
  /** Says it, and leaves the page as it is. */
  tell: () => void
}

/**
 * Returns the function to call when a request was refused because nobody is
 * signed in; `saving` says that somebody waits for it. Many requests are refused
 * at once, so that the server is asked once for all of them, and people are told
 * once until they try to save again.
 */
export function signedOutHandler({ check, editing, leave, tell }: SignedOutActions): (saving: boolean) => Promise<void> {
  let checking: Promise<boolean> | null = null
  let told = false
  return async (saving) => {
    checking ??= check().finally(() => {
      checking = null
    })
    const signedIn = await checking
    if (signedIn) told = false
    else if (!editing()) leave()
    else if (saving || !told) {
      told = true
      tell()
    }
  }
}
