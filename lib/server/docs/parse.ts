import { lexer, type Token, type Tokens } from "marked"
import { checkRequest } from "@/lib/shared/decisions/check-request"

export interface Heading {
  id: string
  text: string
}

export interface Snippet {
  /** `bash`, `typescript`, `python`, `go`, `json` or `text`. */
  language: string
  title: string
  code: string
}

export interface Body {
  /** The blocks below the title and the summary. */
  tokens: Token[]
  /** The second-level headings, for the table of contents. */
  headings: Heading[]
}

/** Returns the anchor of a heading: "create-a-key" for "Create a key". */
export const anchorOf = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, "-")
    .replace(/^-|-$/g, "")

const isHeading = (token: Token): token is Tokens.Heading => token.type === "heading"
const isCode = (token: Token): token is Tokens.Code => token.type === "code"

/** Reads language and title of a code block: ```` ```bash title="In your shell" ````. */
export function snippetOf({ lang = "", text }: Tokens.Code): Snippet {
  const [language = "text"] = lang.split(" ", 1)
  return { language, title: /title="([^"]+)"/.exec(lang)?.[1] ?? language, code: text }
}

export const snippetsOf = (markdown: string): Snippet[] => lexer(markdown).filter(isCode).map(snippetOf)

/** Returns the request that the first curl command sends to `/v1/decisions`; null when it sends none or the API would refuse it. */
export function findRequestText(snippets: Snippet[]): string | null {
  const curl = snippets.find(({ language }) => language === "bash")?.code ?? ""
  const [, body] = /\/v1\/decisions .*-d '(\{.*\})'/s.exec(curl) ?? []
  if (body === undefined) return null
  const text = JSON.stringify(JSON.parse(body.replaceAll("'\\''", "'")), null, 2)
  return checkRequest(new TextEncoder().encode(text)).ok ? text : null
}

/** Reads the title (first line) and the summary (next line) of a page. Throws if one is missing. */
export function readHead(markdown: string): { title: string; summary: string } {
  const [, title, summary] = /^# (.+)\n\n(\S.*)\n\n/.exec(markdown) ?? []
  if (!title || !summary) throw new Error("A page of the docs must start with a title and a summary")
  return { title, summary }
}

/** Returns the blocks and headings of a page, without title and summary. */
export function parseBody(markdown: string): Body {
  const [, , ...tokens] = lexer(markdown).filter(({ type }) => type !== "space")
  const headings = tokens.filter(isHeading).filter(({ depth }) => depth === 2)
  return { tokens, headings: headings.map(({ text }) => ({ id: anchorOf(text), text })) }
}
