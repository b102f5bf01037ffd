// A bar grows once when it appears. For users who prefer reduced motion, it appears at full size.
const GROW = "[transform-box:fill-box] transition-transform duration-200 ease-out"

/** The classes of a bar that grows from its left edge. */
export const growRight = `${GROW} origin-left starting:scale-x-0`

/** The classes of a bar that grows from its bottom edge. */
export const growUp = `${GROW} origin-bottom starting:scale-y-0`
