import clsx from "clsx"
import { displayUsd } from "@/lib/shared/money"

const decimalsOf = (usd: string): number => displayUsd(usd).split(".")[1]?.length ?? 0

/** As many decimals as the longest of these amounts is shown with. */
export const mostDecimals = (usds: readonly string[]): number => Math.max(0, ...usds.map(decimalsOf))

interface MoneyProps {
  usd: string
  /** Of the longest amount in its column: the points then stand under each other. */
  decimals?: number
  className?: string
}

/** An exact USD text as people read it: `$12.34`, below a cent as many digits as it takes. */
export function Money({ usd, decimals = 0, className }: MoneyProps) {
  const missing = Math.max(0, decimals - decimalsOf(usd))
  return (
    <span
      // Room for the digits that are not there: in the style sheet, so that nobody hears or copies it.
      data-room={missing > 0 ? "0".repeat(missing) : undefined}
      className={clsx(
        "whitespace-nowrap tabular-nums",
        missing > 0 && "sm:after:invisible sm:after:content-[attr(data-room)]",
        className,
      )}
    >
      {displayUsd(usd)}
    </span>
  )
}
