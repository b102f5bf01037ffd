import clsx from "clsx"
import { formatBalance, formatCost, formatExactUsd, formatUsd } from "@/lib/shared/format"

const FORMATS = { amount: formatUsd, balance: formatBalance, exact: formatExactUsd }

/** `balance` rounds credit that is left down. `exact` shows every digit, for statements, whose lines must add up, and prices. */
export type MoneyStyle = keyof typeof FORMATS

/** Returns the largest number of decimals with which these amounts are shown, which every amount of a column then gets. */
export const mostDecimals = (usds: readonly string[], style: MoneyStyle = "amount"): number =>
  Math.max(2, ...usds.map((usd) => FORMATS[style](usd).split(".")[1]?.length ?? 0))

interface MoneyProps {
  usd: string
  as?: MoneyStyle | undefined
  /** Decimals of the column, from `mostDecimals`. */
  decimals?: number | undefined
  className?: string
}

/** Shows an amount in USD: two decimals from a cent up, significant digits below, with the exact amount on hover. */
export function Money({ usd, as = "amount", decimals, className }: MoneyProps) {
  const shown = FORMATS[as](usd, decimals)
  const isExact = shown === formatExactUsd(usd, decimals)
  return (
    <span
      title={isExact ? undefined : formatExactUsd(usd)}
      className={clsx("whitespace-nowrap tabular-nums", className)}
    >
      {shown}
    </span>
  )
}

/** Shows what something costs: "Free" for zero. */
export function Cost(props: MoneyProps) {
  return formatCost(props.usd) === "Free" ? "Free" : <Money {...props} />
}
