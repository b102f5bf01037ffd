import clsx from "clsx"
import type { JsonText } from "@/lib/shared/json/text"

/** Words that a model reads, as text: nothing in them is ever taken for markup. */
export function WordsBlock({ words, className }: { words: JsonText; className?: string }) {
  return (
    <pre
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
      tabIndex={0}
      className={clsx(
        "overflow-auto whitespace-pre-wrap break-words rounded-md border border-line bg-sunken px-3 py-2",
        words.kind === "string" ? "font-sans" : "font-mono text-sm",
        className,
      )}
    >
      {words.kind === "string" ? words.text() : words.json()}
    </pre>
  )
}
