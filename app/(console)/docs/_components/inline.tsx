import type { Token, Tokens } from "marked"
import { Fragment, type ReactNode } from "react"
import { TextLink } from "@/components/ui/text-link"

/** Answered by the edge and not by a page, so there is nothing to load ahead. */
const isFile = (href: string) => /\.(json|txt|md)$/.test(href)

function one(token: Token): ReactNode {
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
      throw new Error(`the docs use ${token.type}, which nothing draws`)
  }
}

/** A line of text with code, links and stress. */
export function Inline({ tokens = [] }: { tokens: Token[] | undefined }) {
  // biome-ignore lint/suspicious/noArrayIndexKey: a page's words never move
  return tokens.map((token, index) => <Fragment key={index}>{one(token)}</Fragment>)
}
