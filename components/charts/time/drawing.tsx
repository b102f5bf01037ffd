"use client"

/** What is drawn, with widths and horizontal places as shares of the room there is. */
export interface Drawn {
  height: number
  grid: readonly { y: number; isBase: boolean; text: string }[]
  ticks: readonly { x: string; anchor: "start" | "middle" | "end"; text: string }[]
  rects: readonly { x: string; width: string; y: number; height: number; look: string }[]
  /** In a box of its own, 100 wide and stretched. */
  paths: readonly { d: string; isDashed: boolean; look: string }[]
  dots: readonly { x: string; y: number; look: string }[]
}

/**
 * A chart's axes and shapes, as drawn on the server, without a width: nothing moves when the browser learns it. A client
 * component with plain data, for what streams in later within an SVG would be hidden by a style that the policy forbids.
 */
export function Drawing({ height, grid, ticks, rects, paths, dots }: Drawn) {
  return (
    <svg width="100%" height={height + 24} aria-hidden="true" className="block overflow-visible">
      {grid.map(({ y, isBase, text }) => (
        <g key={y}>
          <line x1="0" x2="100%" y1={y} y2={y} className={isBase ? "stroke-line-strong" : "stroke-line"} />
          {isBase ? null : (
            <text x="-8" y={y + 4} textAnchor="end" className="fill-ink-muted text-xs tabular-nums">
              {text}
            </text>
          )}
        </g>
      ))}
      {rects.map(({ look, ...box }) => (
        <rect key={`${box.x} ${box.y} ${look}`} {...box} className={look} />
      ))}
      {paths.length > 0 ? (
        <svg width="100%" height={height} viewBox={`0 0 100 ${height}`} preserveAspectRatio="none" aria-hidden="true">
          {paths.map(({ d, isDashed, look }) => (
            <path
              key={look}
              d={d}
              fill="none"
              strokeWidth="2"
              strokeDasharray={isDashed ? "5 3" : undefined}
              vectorEffect="non-scaling-stroke"
              className={look}
            />
          ))}
        </svg>
      ) : null}
      {dots.map(({ x, y, look }) => (
        <circle key={`${x} ${look}`} cx={x} cy={y} r="3" className={look} />
      ))}
      {ticks.map(({ x, anchor, text }) => (
        <text key={x} x={x} y={height + 18} textAnchor={anchor} className="fill-ink-muted text-xs tabular-nums">
          {text}
        </text>
      ))}
    </svg>
  )
}
