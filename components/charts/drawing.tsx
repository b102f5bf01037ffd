"use client"

/** The shapes and texts of one chart. Heights are in pixels, widths and horizontal positions in percent. */
export interface Drawn {
  height: number
  grid: readonly { y: number; isBase: boolean; text: string }[]
  ticks: readonly { x: string; anchor: "start" | "middle" | "end"; text: string }[]
  rects: readonly { x: string; width: string; y: number; height: number; look: string }[]
  /** In a view box of width 100 that is stretched to the width available. */
  paths: readonly { d: string; isDashed: boolean; look: string }[]
  dots: readonly { x: string; y: number; look: string }[]
}

/**
 * Draws axes and shapes in percent, so nothing moves once the browser knows the width. React streams SVG of server components
 * with an inline style, which the page policy forbids.
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
