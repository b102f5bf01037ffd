import { readStored, takeStored, writeStored } from "@/lib/shared/browser-storage"

const VALID_FOR_MS = 24 * 60 * 60_000
const keyOf = (accountId: string): string => `playground-top-up:${accountId}`

/** Remembers that the user left the playground to top up. Returns false when the browser stores nothing. */
export const rememberTopUp = (accountId: string): boolean => writeStored(keyOf(accountId), Date.now())

const isValid = (at: unknown): boolean => typeof at === "number" && Date.now() - at < VALID_FOR_MS

/** Returns whether the user left the playground for the top-up page within a day, and has not come back. */
export const isTopUpForRun = (accountId: string): boolean => isValid(readStored(keyOf(accountId)))

/** Returns true once, within a day of leaving for the top-up page. */
export const takeTopUp = (accountId: string): boolean => isValid(takeStored(keyOf(accountId)))
