/** What to do when the server reports that the user is signed out. */
export interface SignedOutActions {
  /** Checks the session with the server. Resolves to whether the user is signed in. */
  check: () => Promise<boolean>
  /** Reports whether going to the sign-in page would lose unsaved work. */
  editing: () => boolean
  /** Goes to the sign-in page, which returns here afterwards. */
  leave: () => void
  /** Shows a message and leaves the page as it is. */
  tell: () => void
}

/**
 * Returns the function to call when a request was refused because the user is
 * signed out; `saving` means that the user is waiting for it. Many requests fail
 * at once, so the server is asked only once, and the user is notified once until
 * they try to save again.
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
