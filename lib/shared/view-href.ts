/** Returns the address of a list in this state, without empty and default values. */
export function viewHref(path: string, view: Record<string, string | null>): string {
  const kept = Object.entries(view).filter(
    (entry): entry is [string, string] => entry[1] !== null && entry[1] !== "" && entry[1] !== "all",
  )
  return kept.length > 0 ? `${path}?${new URLSearchParams(kept)}` : path
}
