const USD = new Intl.NumberFormat("en-US", {
  style: "currency",
  currency: "USD",
  minimumFractionDigits: 0,
  maximumSignificantDigits: 3,
})
const COUNT = new Intl.NumberFormat("en-US", { notation: "compact", maximumSignificantDigits: 3 })

/** `$0.00002`: a round amount on a scale. */
export const formatUsdTick = (value: number): string => USD.format(value)

/** `1.2M`: a round count on a scale. */
export const formatCountTick = (value: number): string => COUNT.format(value)

/** `250 ms`: a round latency on a scale. */
export const formatMsTick = (value: number): string => `${COUNT.format(value)} ms`
