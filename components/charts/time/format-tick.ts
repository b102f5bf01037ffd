import { displayUsd } from "@/lib/shared/money"

const COUNT = new Intl.NumberFormat("en-US", { notation: "compact", maximumSignificantDigits: 3 })

/** `$0.00002`, `$0.30`, `$25`: a round amount on a scale. */
export const formatUsdTick = (value: number): string => displayUsd(value.toFixed(12)).replace(/(?<=\d\d)\.00$/, "")

/** `1.2M`: a round count on a scale. */
export const formatCountTick = (value: number): string => COUNT.format(value)

/** `250 ms`: a round latency on a scale. */
export const formatMsTick = (value: number): string => `${COUNT.format(value)} ms`
