import type { Token, Tokens } from "marked"
import type { ReactNode } from "react"
import { CodeGroup } from "@/components/code-group"
import type { SnippetLanguage } from "@/components/snippet-language"
import { Alert } from "@/components/ui/alert"
import { anchorOf, snippetOf } from "@/lib/server/docs/parse"
import { Inline } from "./inline"
import { MarkdownTable } from "./markdown-table"

interface MarkdownProps {
  tokens: Token[]
  /** Which of several languages shows first. */
  language: SnippetLanguage
}

const isCode = (token: Token | undefined): token is Tokens.Code => token?.type === "code"

/** Fences that follow each other are one group: the same thing in several languages. */
function groupCode(tokens: Token[]): (Token | Tokens.Code[])[] {
  const blocks: (Token | Tokens.Code[])[] = []
  for (const token of tokens) {
    if (token.type === "space") continue
    const last = blocks.at(-1)
    if (isCode(token) && Array.isArray(last)) last.push(token)
    else blocks.push(isCode(token) ? [token] : token)
  }
  return blocks
}

function HeadingBlock({ token }: { token: Tokens.Heading }) {
  const id = anchorOf(token.text)
  const Level = token.depth === 2 ? "h2" : "h3"
  return (
    <Level id={id} className={token.depth === 2 ? "mt-6 scroll-mt-5 font-semibold text-lg" : "scroll-mt-5 font-medium"}>
      <a href={`#${id}`} className="group rounded-sm pointer-coarse:py-3">
        <Inline tokens={token.tokens} />
        <span
          aria-hidden
          className="pl-2 text-ink-muted opacity-0 group-hover:opacity-100 group-focus-visible:opacity-100"
        >
          #
        </span>
      </a>
    </Level>
  )
}

function ListBlock({ token }: { token: Tokens.List }) {
  const items = token.items.map((item, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: a page's items never move
    <li key={index} className="pl-1">
      <Inline tokens={item.tokens} />
    </li>
  ))
  const look = "flex max-w-text flex-col gap-1.5 pl-5 text-md"
  return token.ordered ? (
    <ol className={`${look} list-decimal`}>{items}</ol>
  ) : (
    <ul className={`${look} list-disc`}>{items}</ul>
  )
}

function Block({ token, language }: { token: Token; language: SnippetLanguage }): ReactNode {
  switch (token.type) {
    case "heading":
      return <HeadingBlock token={token as Tokens.Heading} />
    case "paragraph":
      return (
        <p className="max-w-text text-md">
          <Inline tokens={token.tokens} />
        </p>
      )
    case "list":
      return <ListBlock token={token as Tokens.List} />
    case "table":
      return <MarkdownTable token={token as Tokens.Table} />
    case "blockquote":
      return (
        <Alert className="max-w-text text-md">
          <Markdown tokens={token.tokens ?? []} language={language} />
        </Alert>
      )
    default:
      throw new Error(`the docs use ${token.type}, which nothing draws`)
  }
}

/** A page of the docs, drawn with the console's own parts. */
export function Markdown({ tokens, language }: MarkdownProps) {
  return groupCode(tokens).map((block, index) =>
    Array.isArray(block) ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: a page's blocks never move
      <CodeGroup key={index} snippets={block.map(snippetOf)} language={language} />
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: a page's blocks never move
      <Block key={index} token={block} language={language} />
    ),
  )
}
