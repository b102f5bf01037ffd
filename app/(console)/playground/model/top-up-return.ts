import { takeStored, writeStored } from "@/lib/shared/browser-storage"

const VALID_FOR_MS = 24 * 60 * 60_000
const keyOf = (accountId: string): string => `playground-top-up:${accountId}`

export const rememberTopUp = (accountId: string): boolean => writeStored(keyOf(accountId), Date.now())

/** Returns true once, within a day of leaving for the top-up page. */
export function takeTopUp(accountId: string): boolean {
  const at = takeStored(keyOf(accountId))
  return typeof at === "number" && Date.now() - at < VALID_FOR_MS
}
