import clsx from "clsx"
import { formatCost, formatExactUsd, formatUsd } from "@/lib/shared/format"

const decimalsOf = (shown: string): number => shown.split(".")[1]?.length ?? 0

/**
 * Returns the largest number of decimals with which these amounts are shown, to align the decimal points of a column.
 */
export const mostDecimals = (usds: readonly string[], format: (usd: string) => string = formatUsd): number =>
  Math.max(0, ...usds.map((usd) => decimalsOf(format(usd))))

interface MoneyProps {
  usd: string
  /** Shows every digit, for statements (whose lines must add up) and prices. */
  exact?: boolean
  /** Decimals of the longest amount in the column, from `mostDecimals`. */
  decimals?: number
  className?: string
}

/** Shows an amount in USD: two decimals from a cent up, with the exact amount on hover. */
export function Money({ usd, exact = false, decimals = 0, className }: MoneyProps) {
  const full = formatExactUsd(usd)
  const shown = exact ? full : formatUsd(usd)
  const missing = Math.max(0, decimals - decimalsOf(shown))
  return (
    <span
      title={shown === full ? undefined : full}
      // The padding comes from the style sheet, so it is neither read out nor copied.
      data-room={missing > 0 ? "0".repeat(missing) : undefined}
      className={clsx(
        "whitespace-nowrap tabular-nums",
        missing > 0 && "sm:after:invisible sm:after:content-[attr(data-room)]",
        className,
      )}
    >
      {shown}
    </span>
  )
}

/** Shows what something costs: "Free" for zero. */
export function Cost(props: MoneyProps) {
  return formatCost(props.usd) === "Free" ? "Free" : <Money {...props} />
}
