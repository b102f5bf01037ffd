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

/** What a page is drawn from. */
export interface Body {
  /** Everything below the title and the summary. */
  tokens: Token[]
  /** The second-level headings, for the table of contents. */
  headings: Heading[]
}

/** The anchor of a heading: "Create a key" as `create-a-key`. */
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

/** A page's title and summary: its first line and the line of text below it. Throws when they are missing. */
export function readHead(markdown: string): { title: string; summary: string } {
  const [, title, summary] = /^# (.+)\n\n(\S.*)\n\n/.exec(markdown) ?? []
  if (!title || !summary)
    throw new Error("a page of the docs begins with its title and a line that says what it is for")
  return { title, summary }
}

/** A page's blocks below its head, and its headings. */
export function parseBody(markdown: string): Body {
  const [, , ...tokens] = lexer(markdown).filter(({ type }) => type !== "space")
  const headings = tokens.filter(isHeading).filter(({ depth }) => depth === 2)
  return { tokens, headings: headings.map(({ text }) => ({ id: anchorOf(text), text })) }
}
