// A bar grows once when it appears. For users who prefer reduced motion, it appears at full size.
const GROW = "[transform-box:fill-box] transition-transform duration-200 ease-out"

export const growRight = `${GROW} origin-left starting:scale-x-0`

export const growUp = `${GROW} origin-bottom starting:scale-y-0`
