// Bars grow once, when they enter the page; under reduced motion the transition takes no time.
const GROW = "[transform-box:fill-box] transition-transform duration-200 ease-out"

/** From the left edge to the right. */
export const growRight = `${GROW} origin-left starting:scale-x-0`

/** From the foot up. */
export const growUp = `${GROW} origin-bottom starting:scale-y-0`
