import { readFile } from "node:fs/promises"
import { runtime } from "@/lib/server/platform/runtime"
import { TYPE_NAMES } from "@/questions/question-types"
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
function fill(markdown: string, values: Record<string, string>): string {
  return markdown.replace(/\{\{(\w+)\}\}/g, (_, name: string) => {
    const value = values[name]
    if (value === undefined) throw new Error(`No value for {{${name}}} in the docs`)
    return value
  })
}

/**
 * Returns what the docs say about every question type, from `questions/NAME/guide.md`: the row of a table, what the answer means,
 * and the fields. Lines of `---` separate the three.
 */
async function typeGuides(values: Record<string, string>): Promise<Record<string, string>> {
  const texts = await Promise.all(TYPE_NAMES.map((name) => readFile(`questions/${name}/guide.md`, "utf8")))
  const parts = texts.map((text) => fill(text, values).split("\n---\n"))
  const part = (at: number, between: string) => parts.map((each) => each[at]?.trim()).join(between)
  return { question_types: part(0, "\n"), question_meanings: part(1, "\n\n"), question_fields: part(2, "\n\n") }
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
  const all = { ...values, ...(await typeGuides(values)) }
  const pages = await Promise.all(rest.map((slug) => readPage(slug, all)))
  const list = pageList(pages, ({ path }) => path)
  return [await readPage("index", { ...all, pages: list }), ...pages]
}
