import { readFile } from "node:fs/promises"
import { runtime } from "@/lib/server/platform/runtime"
import { readHead } from "./parse"
import { expandRequests } from "./request-programs"
import { markdownPathOf, pathOf, SLUGS, type Slug } from "./slugs"
import { guideValues } from "./values"

export interface GuidePage {
  slug: Slug
  title: string
  summary: string
  path: string
  markdownPath: string
  /** The whole page with this service's values filled in, as its `.md` address returns it. */
  markdown: string
}

/** Replaces each `{{name}}` with its value. Throws on an unknown name. */
export function fill(markdown: string, values: Record<string, string>): string {
  return markdown.replace(/\{\{(\w+)\}\}/g, (_, name: string) => {
    const value = values[name]
    if (value === undefined) throw new Error(`No value for {{${name}}} in the docs`)
    return value
  })
}

async function readPage(slug: Slug, values: Record<string, string>): Promise<GuidePage> {
  const source = await readFile(`docs/guide/${slug}.md`, "utf8")
  const markdown = expandRequests(fill(source, values), values.base_url ?? "")
  return { slug, path: pathOf(slug), markdownPath: markdownPathOf(slug), markdown, ...readHead(markdown) }
}

/** Returns one list item for each page, for the overview and for `llms.txt`. */
export const pageList = (pages: GuidePage[], linkOf: (page: GuidePage) => string): string =>
  pages.map((page) => `- [${page.title}](${linkOf(page)}): ${page.summary}`).join("\n")

/** Reads all pages of the docs in reading order, with the current values of this service. */
export async function readGuide(values = guideValues(runtime())): Promise<GuidePage[]> {
  const [, ...rest] = SLUGS
  const pages = await Promise.all(rest.map((slug) => readPage(slug, values)))
  const list = pageList(pages, ({ path }) => path)
  return [await readPage("index", { ...values, pages: list }), ...pages]
}
