import { readFile } from "node:fs/promises"
import { runtime } from "@/lib/server/platform/runtime"
import { readHead } from "./parse"
import { markdownPathOf, pathOf, SLUGS, type Slug } from "./slugs"
import { guideValues } from "./values"

export interface GuidePage {
  slug: Slug
  title: string
  summary: string
  path: string
  markdownPath: string
  /** The whole page, filled in: what its `.md` address answers, and what the page is drawn from. */
  markdown: string
}

/** Puts this service's values in the place of each `{{name}}`. Throws on a name that nothing stands for. */
export function fill(markdown: string, values: Record<string, string>): string {
  return markdown.replace(/\{\{(\w+)\}\}/g, (_, name: string) => {
    const value = values[name]
    if (value === undefined) throw new Error(`the docs name {{${name}}}, which nothing stands for`)
    return value
  })
}

async function readPage(slug: Slug, values: Record<string, string>): Promise<GuidePage> {
  const source = await readFile(`docs/guide/${slug}.md`, "utf8")
  const markdown = fill(source, values)
  return { slug, path: pathOf(slug), markdownPath: markdownPathOf(slug), markdown, ...readHead(markdown) }
}

/** One line for each page, for the overview and for `llms.txt`. */
export const pageList = (pages: GuidePage[], linkOf: (page: GuidePage) => string): string =>
  pages.map((page) => `- [${page.title}](${linkOf(page)}): ${page.summary}`).join("\n")

/** Every page of the docs in reading order, filled in with what holds now. */
export async function readGuide(values = guideValues(runtime())): Promise<GuidePage[]> {
  const [, ...rest] = SLUGS
  const pages = await Promise.all(rest.map((slug) => readPage(slug, values)))
  const list = pageList(pages, ({ path }) => path)
  return [await readPage("index", { ...values, pages: list }), ...pages]
}
