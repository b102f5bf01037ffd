import { lexer, type Token, type Tokens } from "marked"
import MiniSearch from "minisearch"
import type { GuidePage } from "./guide"
import { anchorOf } from "./parse"

export interface Hit {
  /** The address of the section, with its anchor. */
  path: string
  /** "Limits › Rate headers" */
  title: string
  /** The text around the first matching word. */
  excerpt: string
}

interface Section {
  path: string
  title: string
  heading: string
  text: string
}

const MAX_WORDS = 8
const MAX_HITS = 10
const EXCERPT_LENGTH = 160
/** How many characters of an excerpt come before the matching word. */
const EXCERPT_LEAD = 70

const toPlainText = (markdown: string): string =>
  markdown
    .replace(/\[([^\]]+)\]\([^)]+\)/g, "$1")
    .replace(/[`*|#>]|-{3,}/g, " ")
    .replace(/\s+/g, " ")
    .trim()

const isSectionHeading = (token: Token): token is Tokens.Heading => token.type === "heading" && token.depth === 2

/** Splits a page at its second-level headings. */
function sectionsOf({ path, title, markdown }: GuidePage): Section[] {
  const sections: Section[] = [{ path, title, heading: title, text: "" }]
  for (const token of lexer(markdown)) {
    const section = sections.at(-1)
    if (isSectionHeading(token)) {
      const heading = toPlainText(token.text)
      sections.push({ path: `${path}#${anchorOf(token.text)}`, title: `${title} › ${heading}`, heading, text: "" })
    } else if (section && token.type !== "space" && token.type !== "heading") {
      section.text += ` ${toPlainText(token.raw)}`
    }
  }
  return sections
}

function excerptOf(text: string, words: string[]): string {
  const places = words.map((word) => text.toLowerCase().indexOf(word)).filter((place) => place >= 0)
  const near = Math.max(0, Math.min(...places, text.length) - EXCERPT_LEAD)
  // Start and end at a space, so that no word is cut.
  const first = near === 0 ? 0 : text.indexOf(" ", near)
  const last = text.length <= first + EXCERPT_LENGTH ? text.length : text.lastIndexOf(" ", first + EXCERPT_LENGTH)
  return `${first > 0 ? "… " : ""}${text.slice(first, last).trim()}${last < text.length ? " …" : ""}`
}

/** Returns at most ten sections that contain every word of the query, best match first; matches in headings count most. */
export function searchGuide(pages: GuidePage[], query: string): Hit[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean).slice(0, MAX_WORDS)
  const sections = new Map(pages.flatMap(sectionsOf).map((section) => [section.path, section]))
  const index = new MiniSearch<Section>({ idField: "path", fields: ["heading", "text"] })
  index.addAll([...sections.values()])
  const results = index.search(words.join(" "), { combineWith: "AND", prefix: true, boost: { heading: 10 } })
  return results.slice(0, MAX_HITS).flatMap(({ id, terms }) => {
    const section = sections.get(id)
    return section ? [{ path: section.path, title: section.title, excerpt: excerptOf(section.text, terms) }] : []
  })
}
