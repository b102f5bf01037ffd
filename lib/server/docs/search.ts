import { lexer, type Token, type Tokens } from "marked"
import { type DocsHit, type DocsSection, indexDocs } from "@/lib/shared/search/search-docs"
import type { GuidePage } from "./guide"
import { anchorOf } from "./parse"

const isSectionHeading = (token: Token): token is Tokens.Heading => token.type === "heading" && token.depth === 2

const HOLD_BLOCKS = ["list_item", "blockquote"]

function plainText(token: Token): string {
  // Each page has the same samples, so their words would find all of them.
  if (token.type === "code" || token.type === "html") return ""
  if (token.type === "br") return " "
  if (token.type === "list") return (token as Tokens.List).items.map(plainText).join(" ")
  if (token.type === "table") {
    const { header, rows } = token as Tokens.Table
    return [header, ...rows].flatMap((row) => row.map(({ tokens }) => tokens.map(plainText).join(""))).join(" ")
  }
  const { type, tokens, text = "" } = token as Tokens.Generic
  return tokens ? tokens.map(plainText).join(HOLD_BLOCKS.includes(type) ? " " : "") : text
}

const tidy = (text: string): string => text.replace(/\s+/g, " ").trim()

/** Splits a page at its second-level headings. */
function sectionsOf({ path, title, markdown }: GuidePage): DocsSection[] {
  const first: DocsSection = { path, title, heading: title, subheadings: "", text: "" }
  const sections = [first]
  for (const token of lexer(markdown)) {
    const section = sections.at(-1) ?? first
    const text = tidy(plainText(token))
    if (isSectionHeading(token)) {
      const place = { path: `${path}#${anchorOf(token.text)}`, title: `${title} › ${text}` }
      sections.push({ ...place, heading: text, subheadings: "", text: "" })
    } else if (token.type !== "heading") section.text = tidy(`${section.text} ${text}`)
    else if (token.depth > 2) section.subheadings = tidy(`${section.subheadings} ${text}`)
  }
  return sections
}

/** Returns the sections of all pages, for a search in the browser. */
export const listSections = (pages: GuidePage[]): DocsSection[] => pages.flatMap(sectionsOf)

/** Returns at most ten sections that contain every word of the query, best match first; matches in headings count most. */
export async function searchGuide(pages: GuidePage[], query: string): Promise<DocsHit[]> {
  const search = await indexDocs(listSections(pages))
  return search(query)
}
