import MiniSearch from "minisearch"

/** The text below one heading of the docs. */
export interface DocsSection {
  /** The address of the section, with its anchor. */
  path: string
  /** "Limits › Rate headers" */
  title: string
  heading: string
  /** The headings below that one. */
  subheadings: string
  /** Without samples of code. */
  text: string
}

export interface DocsHit {
  path: string
  title: string
  /** The text around the first matching word. */
  excerpt: string
}

const BOOST = { heading: 10, subheadings: 5, title: 2 }
const SECTIONS_PER_TASK = 4
const MAX_WORDS = 8
const MAX_HITS = 10
const EXCERPT_LENGTH = 160
/** How many characters of an excerpt come before the matching word. */
const EXCERPT_LEAD = 70

function excerptOf(text: string, words: string[]): string {
  const places = words.map((word) => text.toLowerCase().indexOf(word)).filter((place) => place >= 0)
  const near = Math.max(0, Math.min(...places, text.length) - EXCERPT_LEAD)
  // Start and end at a space, so that no word is cut.
  const first = near === 0 ? 0 : Math.max(near, text.indexOf(" ", near))
  const last = text.length <= first + EXCERPT_LENGTH ? text.length : text.lastIndexOf(" ", first + EXCERPT_LENGTH)
  return `${first > 0 ? "… " : ""}${text.slice(first, last).trim()}${last < text.length ? " …" : ""}`
}

/**
 * Indexes the docs in small tasks, because users type meanwhile. The returned function finds at most ten sections that contain
 * every word of a query, best match first. Matches count by where they are: the heading, headings below it, the page's title, the text.
 */
export async function indexDocs(all: DocsSection[]): Promise<(query: string) => DocsHit[]> {
  const sections = new Map(all.map((section) => [section.path, section]))
  const index = new MiniSearch<DocsSection>({ idField: "path", fields: ["heading", "subheadings", "title", "text"] })
  await index.addAllAsync([...sections.values()], { chunkSize: SECTIONS_PER_TASK })
  return (query) => {
    const words = query.toLowerCase().split(/\s+/).filter(Boolean).slice(0, MAX_WORDS)
    const results = index.search(words.join(" "), { combineWith: "AND", prefix: true, boost: BOOST })
    return results.slice(0, MAX_HITS).flatMap(({ id, terms }) => {
      const section = sections.get(id)
      return section ? [{ path: section.path, title: section.title, excerpt: excerptOf(section.text, terms) }] : []
    })
  }
}
