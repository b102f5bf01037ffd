/** Returns the JSON value that this browser stores under a key; null when there is none, it is not JSON, or storage is blocked. */
export function readStored(key: string): unknown {
  try {
    return JSON.parse(localStorage.getItem(key) ?? "null")
  } catch {
    return null
  }
}

/** Stores a JSON value in this browser. Returns false when storage is blocked or full. */
export function writeStored(key: string, value: unknown): boolean {
  try {
    localStorage.setItem(key, JSON.stringify(value))
    return true
  } catch {
    return false
  }
}

/** Returns the stored JSON value and removes it, so that it is used once. Null like `readStored`. */
export function takeStored(key: string): unknown {
  const value = readStored(key)
  try {
    localStorage.removeItem(key)
  } catch {
    // Blocked storage holds nothing to remove.
  }
  return value
}

const LEFT_FOR_MS = 60 * 60_000

/** Stores fields for another page of this browser, which takes them within an hour. Returns false like `writeStored`. */
export const leaveStored = (key: string, fields: object): boolean => writeStored(key, { at: Date.now(), ...fields })

/** Returns the fields that were left within the last hour, once; null when there are none. */
export function takeLeft(key: string): Readonly<Record<string, unknown>> | null {
  const stored = takeStored(key)
  if (typeof stored !== "object" || stored === null) return null
  const { at, ...fields }: { at?: unknown } = stored
  return typeof at === "number" && Date.now() - at < LEFT_FOR_MS ? fields : null
}
