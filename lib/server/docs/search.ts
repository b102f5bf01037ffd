import { lexer, type Tokens } from "marked"
import type { GuidePage } from "./guide"
import { anchorOf } from "./parse"

export interface Hit {
  /** With the anchor of the section. */
  path: string
  /** "Limits › Rate headers" */
  title: string
  /** Some words around the first place that was found. */
  excerpt: string
}

interface Section {
  path: string
  title: string
  heading: string
  text: string
}

const MOST_HITS = 10
const AROUND = 70
const LENGTH = 160

const plain = (markdown: string): string =>
  markdown
    .replace(/\[([^\]]+)\]\([^)]+\)/g, "$1")
    .replace(/[`*|#>]|-{3,}/g, " ")
    .replace(/\s+/g, " ")
    .trim()

function sectionsOf({ path, title, markdown }: GuidePage): Section[] {
  const sections: Section[] = [{ path, title, heading: title, text: "" }]
  for (const token of lexer(markdown)) {
    const { type, raw } = token
    if (type === "heading" && (token as Tokens.Heading).depth === 2) {
      const heading = plain((token as Tokens.Heading).text)
      sections.push({
        path: `${path}#${anchorOf((token as Tokens.Heading).text)}`,
        title: `${title} › ${heading}`,
        heading,
        text: "",
      })
    } else {
      const section = sections.at(-1)
      if (section && type !== "space" && type !== "heading") section.text += ` ${plain(raw)}`
    }
  }
  return sections
}

function excerptOf({ text }: Section, words: string[]): string {
  const places = words.map((word) => text.toLowerCase().indexOf(word)).filter((place) => place >= 0)
  const near = Math.max(0, Math.min(...places, text.length) - AROUND)
  // Whole words: from a space on, to a space.
  const first = near === 0 ? 0 : text.indexOf(" ", near)
  const last = text.length <= first + LENGTH ? text.length : text.lastIndexOf(" ", first + LENGTH)
  return `${first > 0 ? "… " : ""}${text.slice(first, last).trim()}${last < text.length ? " …" : ""}`
}

/** The sections that have every word of a query, those with a word in their heading first. */
export function searchGuide(pages: GuidePage[], query: string): Hit[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean).slice(0, 8)
  if (words.length === 0) return []
  const hits = pages.flatMap(sectionsOf).flatMap((section) => {
    const heading = section.heading.toLowerCase()
    const all = `${heading} ${section.text.toLowerCase()}`
    if (!words.every((word) => all.includes(word))) return []
    const score = words.filter((word) => heading.includes(word)).length
    return [{ score, path: section.path, title: section.title, excerpt: excerptOf(section, words) }]
  })
  return hits
    .sort((one, other) => other.score - one.score)
    .slice(0, MOST_HITS)
    .map(({ path, title, excerpt }) => ({ path, title, excerpt }))
}
