import clsx from "clsx"
import type { Token, Tokens } from "marked"
import { Fragment, type ReactNode } from "react"
import { Alert } from "@/components/ui/alert"
import { type Column, Table } from "@/components/ui/table"
import { TextLink } from "@/components/ui/text-link"
import { anchorOf } from "@/lib/server/docs/parse"
import type { SnippetLanguage } from "@/lib/shared/preferences"
import { Snippets } from "./snippets"

interface MarkdownProps {
  tokens: Token[]
  language: SnippetLanguage
}

const isCode = (token: Token | undefined): token is Tokens.Code => token?.type === "code"

/** Groups consecutive code blocks, which are the same snippet in several languages. */
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
      <a href={`#${id}`} className="group rounded-sm pointer-coarse:py-3.5">
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
    // biome-ignore lint/suspicious/noArrayIndexKey: the tokens of a page never change order
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
      throw new Error(`No component renders the Markdown token ${token.type}`)
  }
}

/** Splits the blocks of a page before each second-level heading. */
function sectionsOf(tokens: Token[]): Token[][] {
  const sections: Token[][] = [[]]
  for (const token of tokens) {
    if (token.type === "heading" && token.depth === 2) sections.push([])
    sections.at(-1)?.push(token)
  }
  return sections
}

/** The first screen can show this many sections, so their rendering is never skipped. */
const FIRST_SECTIONS = 2

/** Renders the Markdown of a page below its title. Browsers skip the sections that are out of sight. */
export function MarkdownPage({ tokens, language }: MarkdownProps) {
  return sectionsOf(tokens).map((section, index) => (
    <div
      // biome-ignore lint/suspicious/noArrayIndexKey: the tokens of a page never change order
      key={index}
      className={clsx(
        "flex min-w-0 flex-col gap-4 empty:hidden",
        index >= FIRST_SECTIONS && "skip-offscreen [contain-intrinsic-height:auto_50rem]",
      )}
    >
      <Markdown tokens={section} language={language} />
    </div>
  ))
}

/** Renders blocks of Markdown. Throws on Markdown that no page of the docs uses, such as an image. */
function Markdown({ tokens, language }: MarkdownProps) {
  return groupCode(tokens).map((block, index) =>
    Array.isArray(block) ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: the tokens of a page never change order
      <Snippets key={index} tokens={block} language={language} />
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: the tokens of a page never change order
      <Block key={index} token={block} language={language} />
    ),
  )
}

type Row = Tokens.TableCell[]

const withoutCodeMarks = (text: string): string => text.replaceAll("`", "")

/** Renders a Markdown table as a `Table`: on a phone, a list of labels and values. */
function MarkdownTable({ token }: { token: Tokens.Table }) {
  const columns: Column<Row>[] = token.header.map(({ text }, index) => ({
    head: withoutCodeMarks(text),
    cell: (cells) => (
      <span className="min-w-0">
        <Inline tokens={cells[index]?.tokens} />
      </span>
    ),
  }))
  const heads = token.header.map(({ text }) => withoutCodeMarks(text)).join(", ")
  return (
    <Table
      caption={heads}
      // Cells contain sentences, so they are left-aligned on a phone too.
      className="[&_td]:sm:align-top [&_td]:max-sm:justify-start [&_td]:max-sm:text-left [&_td]:max-sm:before:w-24"
      columns={columns}
      rows={token.rows}
      rowKey={(cells) => cells.map(({ text }) => text).join(" ")}
    />
  )
}

/** Returns whether a link leads to a file. Files are not Next pages, so their links are not prefetched. */
const isFile = (href: string) => /\.(json|txt|md)$/.test(href)

function inlineToken(token: Token): ReactNode {
  switch (token.type) {
    case "text":
      return (token as Tokens.Text).tokens ? <Inline tokens={(token as Tokens.Text).tokens} /> : token.text
    case "escape":
      return token.text
    case "codespan":
      return <code className="break-words rounded bg-sunken px-1 py-0.5 font-mono text-[0.875em]">{token.text}</code>
    case "strong":
      return (
        <strong className="font-semibold">
          <Inline tokens={token.tokens} />
        </strong>
      )
    case "link":
      return isFile(token.href) ? (
        <TextLink href={token.href} prefetch={false} target="_blank">
          <Inline tokens={token.tokens} />
        </TextLink>
      ) : (
        <TextLink href={token.href}>
          <Inline tokens={token.tokens} />
        </TextLink>
      )
    default:
      throw new Error(`No component renders the Markdown token ${token.type}`)
  }
}

function Inline({ tokens = [] }: { tokens: Token[] | undefined }) {
  // biome-ignore lint/suspicious/noArrayIndexKey: the tokens of a page never change order
  return tokens.map((token, index) => <Fragment key={index}>{inlineToken(token)}</Fragment>)
}
