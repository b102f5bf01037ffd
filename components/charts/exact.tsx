import clsx from "clsx"

interface ExactProps {
  text: string
  /** All digits of the response. */
  exact: string
  /** The side to which the exact number is aligned. Use the one nearer to the edge of the page. */
  side?: "left" | "right"
  className?: string
}

export function Exact({ text, exact, side = "right", className }: ExactProps) {
  return (
    <span
      // biome-ignore lint/a11y/noNoninteractiveTabindex: the exact number must be reachable by keyboard
      tabIndex={0}
      className={clsx("group relative whitespace-nowrap rounded-sm tabular-nums", className)}
    >
      {text}
      <span
        className={clsx(
          "absolute top-full z-20 mt-1 hidden rounded bg-ink px-2 py-1 font-mono font-normal text-bg text-xs group-hover:block group-focus-visible:block",
          side === "left" ? "left-0" : "right-0",
        )}
      >
        {exact}
      </span>
    </span>
  )
}
