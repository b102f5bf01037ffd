"use client"

const HOLDS_FOR_MS = 24 * 60 * 60_000
const place = (accountId: string): string => `playground-top-up:${accountId}`

/** Notes that the account left for the top-up page, so that its way back ends at "Run again". */
export function rememberTopUp(accountId: string): void {
  try {
    localStorage.setItem(place(accountId), String(Date.now()))
  } catch {
    // Without it the way back leads to the playground all the same.
  }
}

/** True once, within a day of leaving for the top-up page. */
export function takeTopUp(accountId: string): boolean {
  try {
    const at = Number(localStorage.getItem(place(accountId)) ?? 0)
    localStorage.removeItem(place(accountId))
    return Date.now() - at < HOLDS_FOR_MS
  } catch {
    return false
  }
}
