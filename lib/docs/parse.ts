import { lexer, type Token, type Tokens } from "marked"

export interface Heading {
  id: string
  text: string
}

export interface Snippet {
  /** As the fence says: `bash`, `typescript`, `python`, `json` or `text`. */
  language: string
  title: string
  code: string
}

/** One page, read from Markdown whose first two blocks are its title and its summary. */
export interface ParsedPage {
  title: string
  summary: string
  /** What comes after them. */
  body: Token[]
  /** The second-level headings, for the table of contents. */
  headings: Heading[]
}

/** The anchor of a heading: "1. Create a key" as `1-create-a-key`. */
export const anchorOf = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, "-")
    .replace(/^-|-$/g, "")

const isHeading = (token: Token): token is Tokens.Heading => token.type === "heading"
const isCode = (token: Token): token is Tokens.Code => token.type === "code"

/** A fence's language and title: ```` ```bash title="In your shell" ````. */
export function snippetOf({ lang = "", text }: Tokens.Code): Snippet {
  const [language = "text"] = lang.split(" ", 1)
  return { language, title: /title="([^"]+)"/.exec(lang)?.[1] ?? language, code: text }
}

/** Every fenced block of a page, in order. */
export const snippetsOf = (markdown: string): Snippet[] => lexer(markdown).filter(isCode).map(snippetOf)

/** A page's parts. Throws when it does not begin with its title and its summary. */
export function parsePage(markdown: string): ParsedPage {
  const [title, summary, ...body] = lexer(markdown).filter(({ type }) => type !== "space")
  if (!title || !isHeading(title) || summary?.type !== "paragraph")
    throw new Error("a page of the docs begins with its title and a paragraph that says what it is for")
  const headings = body.filter(isHeading).filter(({ depth }) => depth === 2)
  return {
    title: title.text,
    summary: (summary as Tokens.Paragraph).text,
    body,
    headings: headings.map(({ text }) => ({ id: anchorOf(text), text })),
  }
}
