import { takeStored, writeStored } from "@/lib/shared/browser-storage"

const KEY = "playground-handover"
const VALID_FOR_MS = 60 * 60_000

interface Handover {
  at: number
  requestText: string
}

function isHandover(value: unknown): value is Handover {
  if (typeof value !== "object" || value === null) return false
  const { at, requestText }: { [Name in keyof Handover]?: unknown } = value
  return typeof at === "number" && typeof requestText === "string"
}

/**
 * Leaves a shared request for the playground to open after sign-in. The mailed link may open another tab, which
 * `sessionStorage` would not reach. Returns false when the browser cannot store it.
 */
export const leaveHandover = (requestText: string): boolean => writeStored(KEY, { at: Date.now(), requestText })

/** Returns the request left within the last hour, once; null when there is none. */
export function takeHandover(): string | null {
  const stored = takeStored(KEY)
  return isHandover(stored) && Date.now() - stored.at < VALID_FOR_MS ? stored.requestText : null
}
