import clsx from "clsx"

interface ExactProps {
  /** What is shown. */
  text: string
  /** The number as the response has it. */
  exact: string
  /** The side that the exact number keeps to: the one that is nearer to the edge of the page. */
  side?: "left" | "right"
  className?: string
}

/** A rounded number, with the exact one on hover and on focus. */
export function Exact({ text, exact, side = "right", className }: ExactProps) {
  return (
    <span
      // biome-ignore lint/a11y/noNoninteractiveTabindex: the exact number must be within reach of a keyboard
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
