const PLACE = "playground-handover"
const HOLDS_FOR_MS = 60 * 60_000

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
 * Leaves a shared request for the playground, across a sign-in. The mailed link may open in another tab, which a session
 * storage would not reach; so it is kept for an hour, in this browser alone. False when there is no room.
 */
export function leaveHandover(requestText: string): boolean {
  try {
    localStorage.setItem(PLACE, JSON.stringify({ at: Date.now(), requestText }))
    return true
  } catch {
    return false
  }
}

/** The request that was left within the last hour, once. */
export function takeHandover(): string | null {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(PLACE) ?? "null")
    localStorage.removeItem(PLACE)
    return isHandover(stored) && Date.now() - stored.at < HOLDS_FOR_MS ? stored.requestText : null
  } catch {
    return null
  }
}
