// A bar grows once when it appears. For users who prefer reduced motion, it appears at full size.
export const growRight =
  "[transform-box:fill-box] origin-left transition-transform duration-200 ease-out starting:scale-x-0"
