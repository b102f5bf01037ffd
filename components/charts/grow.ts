// Bars grow once when they appear. With reduced motion they appear at full size.
const GROW = "[transform-box:fill-box] transition-transform duration-200 ease-out"

/** Grows from the left edge. */
export const growRight = `${GROW} origin-left starting:scale-x-0`

/** Grows from the bottom. */
export const growUp = `${GROW} origin-bottom starting:scale-y-0`
