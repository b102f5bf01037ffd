/**
 * How long the service relies on what it found about a caller, in ms. An end of authority takes effect within two seconds. The last half
 * second is left to what follows a check.
 */
export const RELIED_ON_MS = 1_500

/** A caller, as found by the statement that began at `verifiedAt`, in ms of `performance.now()`. */
export interface Verified {
  accountId: string
  verifiedAt: number
}

/** Checks that the caller may still do this. Throws the error to respond with. Returns undefined while the last look-up is recent. */
export type Authorize = () => Promise<void> | undefined

/** Returns the check of a caller. `lookUp` finds the caller again, or throws. Concurrent checks share one look-up. */
export function authorizing({ verifiedAt }: Verified, lookUp: () => Promise<Verified>): Authorize {
  let lastAt = verifiedAt
  let checking: Promise<void> | undefined
  return () => {
    if (performance.now() - lastAt < RELIED_ON_MS) return undefined
    checking ??= lookUp()
      .then((found) => {
        lastAt = found.verifiedAt
      })
      .finally(() => {
        checking = undefined
      })
    return checking
  }
}
