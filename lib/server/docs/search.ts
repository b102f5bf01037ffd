import { lexer, type Token, type Tokens } from "marked"
import { type DocsHit, type DocsSection, indexDocs } from "@/lib/shared/search/search-docs"
import type { GuidePage } from "./guide"
import { anchorOf } from "./parse"

const toPlainText = (markdown: string): string =>
  markdown
    .replace(/^```.*$/gm, "")
    .replace(/\[([^\]]+)\]\([^)]+\)/g, "$1")
    .replace(/[`*|#>]|-{3,}/g, " ")
    .replace(/\s+/g, " ")
    .trim()

const isSectionHeading = (token: Token): token is Tokens.Heading => token.type === "heading" && token.depth === 2

/** Splits a page at its second-level headings. */
function sectionsOf({ path, title, markdown }: GuidePage): DocsSection[] {
  const sections: DocsSection[] = [{ path, title, heading: title, text: "" }]
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

/** Returns the sections of all pages, for a search in the browser. */
export const listSections = (pages: GuidePage[]): DocsSection[] => pages.flatMap(sectionsOf)

/** Returns at most ten sections that contain every word of the query, best match first; matches in headings count most. */
export async function searchGuide(pages: GuidePage[], query: string): Promise<DocsHit[]> {
  const search = await indexDocs(listSections(pages))
  return search(query)
}
