import clsx from "clsx"
import type { ReactNode } from "react"
import { ClientText } from "./client-text"
import { CopyButton } from "./copy-button"

/** Highlighting longer code takes too long for the page to respond. */
const MAX_HIGHLIGHTED = 20_000

interface CodeBlockProps {
  code: string
  /** A title such as "Request", or a file name. */
  label: string
  onCopied?: () => void
  className?: string
  /** The same code as a `Highlighted`. Without it, and when it is long, the code is plain. */
  children?: ReactNode
}

export function CodeBlock({ code, label, onCopied, className, children }: CodeBlockProps) {
  return (
    <figure className={clsx("overflow-hidden rounded-md border border-line bg-sunken", className)}>
      <figcaption className="flex items-center justify-between gap-2 border-line border-b py-1 pr-1 pl-3 text-ink-muted text-sm">
        <span className="min-w-0 truncate">{label}</span>
        <CopyButton text={code} variant="quiet" size="sm" ariaLabel={`Copy: ${label}`} onCopied={onCopied} />
      </figcaption>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard */}
      <pre tabIndex={0} className="overflow-x-auto p-3 font-mono text-sm leading-5">
        <code>{children && code.length <= MAX_HIGHLIGHTED ? children : <ClientText text={code} />}</code>
      </pre>
    </figure>
  )
}
