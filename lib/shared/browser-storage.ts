/** Returns the JSON value that this browser stores under a key; null when there is none, or storage is blocked. */
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
