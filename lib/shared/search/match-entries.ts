/** Something that the command menu can open or do. */
export interface Entry {
  /** Unique in the menu. */
  id: string
  label: string
  /** A second line. It is searched too. */
  detail?: string
  /** Further words that find the entry. */
  keywords?: string
}

const wordsOf = (query: string): string[] => query.toLowerCase().split(/\s+/).filter(Boolean)

/** Returns how well the first word matches: 0 at the start of the label, 1 at the start of one of its words, 2 elsewhere. */
function rankOf({ label }: Entry, [first = ""]: string[]): number {
  const text = label.toLowerCase()
  return text.startsWith(first) ? 0 : text.includes(` ${first}`) ? 1 : 2
}

/** Returns the entries that contain every word of a query, or all without one. Labels that start with its first word come first. */
export function matchEntries<Of extends Entry>(entries: readonly Of[], query: string): Of[] {
  const words = wordsOf(query)
  return entries
    .filter(({ label, detail = "", keywords = "" }) => {
      const text = `${label} ${detail} ${keywords}`.toLowerCase()
      return words.every((word) => text.includes(word))
    })
    .toSorted((one, other) => rankOf(one, words) - rankOf(other, words))
}

/**
 * Returns how well the best of several entries matches the first word of a query. 0 is a match at the start of a label, 1 at the
 * start of a word, 2 elsewhere or none.
 */
export function bestRank(entries: readonly Entry[], query: string): number {
  const words = wordsOf(query)
  return Math.min(2, ...entries.map((entry) => rankOf(entry, words)))
}
