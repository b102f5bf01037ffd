const COUNT = new Intl.NumberFormat("en-US")

/** "1,234,567": a whole number as people read it. */
export const formatCount = (count: number | bigint): string => COUNT.format(count)
