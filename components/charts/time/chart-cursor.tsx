"use client"
import {
  type KeyboardEvent,
  type MouseEvent,
  memo,
  type PointerEvent,
  type ReactNode,
  startTransition,
  useState,
} from "react"
import { afterPress } from "@/components/timing/after-paint"
import { Later } from "@/components/ui/later"

interface Point {
  label: string
  texts: readonly string[]
}

interface ChartCursorProps {
  title: string
  head: string
  names: readonly string[]
  points: readonly Point[]
  /** The number of columns on the axis. */
  columnCount: number
  /** Where each point's column starts on the axis, from 0 to 1. Without it, all columns have the same width. */
  starts?: readonly number[]
  children: ReactNode
}

type Axis = Pick<ChartCursorProps, "columnCount" | "starts">

/** Returns where a point's column starts and ends, from 0 to 1. */
function spanOf(index: number, { columnCount, starts }: Axis): [from: number, to: number] {
  return starts ? [starts[index] ?? 0, starts[index + 1] ?? 1] : [index / columnCount, (index + 1) / columnCount]
}

/** Returns the point whose column holds a position from 0 to 1. */
const indexAt = (share: number, { columnCount, starts }: Axis): number =>
  starts ? starts.findLastIndex((start) => start <= share) : Math.floor(share * columnCount)

/** How many points Page Up and Page Down move the cursor: in a chart of days, a week. */
const PAGE_STEP = 7

/** Returns the index that a key moves to, clamped to the chart; null for a key that does not move the cursor. */
function indexAfter(key: string, index: number, last: number): number | null {
  const steps: Record<string, number> = {
    ArrowLeft: index - 1,
    ArrowDown: index - 1,
    ArrowRight: index + 1,
    ArrowUp: index + 1,
    PageDown: index - PAGE_STEP,
    PageUp: index + PAGE_STEP,
    Home: 0,
    End: last,
  }
  const next = steps[key]
  return next === undefined ? null : Math.min(last, Math.max(0, next))
}

/**
 * Shows the numbers of the point under the pointer or chosen with the arrow keys. A table below lists the numbers of
 * all points.
 */
export function ChartCursor({ title, head, names, points, columnCount, starts, children }: ChartCursorProps) {
  const last = points.length - 1
  // Null means the last point. The chosen index may exceed the last one once the chart shows another range.
  const [chosen, setChosen] = useState<number | null>(null)
  const active = Math.min(chosen ?? last, last)
  const [shown, setShown] = useState(false)
  const point = points[active]
  // A transition lets a fast pointer or a held key skip points in between.
  const show = (next: number) =>
    startTransition(() => {
      setChosen(next)
      setShown(true)
    })
  const move = (event: KeyboardEvent) => {
    if (event.key === "Escape") return setShown(false)
    const next = indexAfter(event.key, active, last)
    if (next === null) return
    event.preventDefault()
    show(next)
  }
  const follow = (event: PointerEvent) => {
    const { left, width } = event.currentTarget.getBoundingClientRect()
    show(Math.min(last, Math.max(0, indexAt((event.clientX - left) / width, { columnCount, starts }))))
  }
  return (
    <>
      <div
        role="slider"
        tabIndex={0}
        aria-label={title}
        aria-roledescription="chart"
        aria-valuemin={0}
        aria-valuemax={last}
        aria-valuenow={active}
        aria-valuetext={`${point?.label}: ${point?.texts.map((text, index) => `${names[index]} ${text}`).join(", ")}`}
        onKeyDown={move}
        onFocus={(event) => event.currentTarget.matches(":focus-visible") && setShown(true)}
        // A transition, so that what took the focus is painted first.
        onBlur={() => startTransition(() => setShown(false))}
        onPointerMove={follow}
        onPointerDown={follow}
        onPointerLeave={({ pointerType }) => pointerType === "mouse" && setShown(false)}
        onPointerCancel={() => setShown(false)}
        className="relative ml-16 touch-pan-y rounded-sm"
      >
        {children}
        {shown && point ? <Tooltip names={names} point={point} span={spanOf(active, { columnCount, starts })} /> : null}
      </div>
      <PointsTable title={title} head={head} names={names} points={points} />
    </>
  )
}

interface TooltipProps {
  names: readonly string[]
  point: Point
  /** The start and end of the point's column, from 0 to 1. */
  span: [from: number, to: number]
}

function Tooltip({ names, point, span: [from, to] }: TooltipProps) {
  const onLeft = from < 0.5
  return (
    <>
      <div
        className="pointer-events-none absolute top-0 bottom-6 bg-ink/10"
        style={{ left: `${from * 100}%`, width: `${(to - from) * 100}%` }}
      />
      <div
        className="pointer-events-none absolute top-0 z-20 max-w-64 rounded-md bg-ink px-3 py-2 text-bg text-sm shadow-float"
        style={onLeft ? { left: `calc(${to * 100}% + 6px)` } : { right: `calc(${(1 - from) * 100}% + 6px)` }}
      >
        <p className="whitespace-nowrap font-medium">{point.label}</p>
        <dl className="grid grid-cols-[minmax(0,1fr)_auto] gap-x-4 gap-y-0.5">
          {point.texts.map((text, index) => (
            <div key={names[index]} className="col-span-2 grid grid-cols-subgrid">
              <dt className="truncate">{names[index]}</dt>
              <dd className="whitespace-nowrap text-right tabular-nums">{text}</dd>
            </div>
          ))}
        </dl>
      </div>
    </>
  )
}

/** Opens or closes the table once the pressed summary is painted, because laying out many rows takes long. */
function toggleTable(event: MouseEvent<HTMLElement>): void {
  const details = event.currentTarget.parentElement
  if (!(details instanceof HTMLDetailsElement)) return
  event.preventDefault()
  afterPress(event, () => {
    details.open = !details.open
  })
}

/** Lists a chart's numbers, the last point first. Memoized, because moving the cursor does not change it. */
const PointsTable = memo(function PointsTable({
  title,
  head,
  names,
  points,
}: Omit<ChartCursorProps, "columnCount" | "starts" | "children">) {
  return (
    <details className="text-sm">
      {/* biome-ignore lint/a11y/noStaticElementInteractions: a summary is a button, also for the keyboard */}
      <summary
        onClick={toggleTable}
        className="w-fit rounded-sm text-ink-muted hover:text-ink pointer-coarse:-my-3 pointer-coarse:py-3"
      >
        Show as a table<span className="sr-only">: {title}</span>
      </summary>
      <Later>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard */}
        <section aria-label={`${title}, as a table`} tabIndex={0} className="mt-2 max-h-80 overflow-auto">
          <table className="w-full border-collapse text-left">
            <caption className="sr-only">{title}</caption>
            <thead>
              <tr>
                {[head, ...names].map((name, index) => (
                  <th
                    key={name}
                    scope="col"
                    className={`sticky top-0 border-line border-b bg-bg py-1 font-medium text-ink-muted ${index > 0 ? "wrap-anywhere min-w-20 pl-3 text-right" : "whitespace-nowrap"}`}
                  >
                    {/* The head is sticky, so a long name must not cover the rows. */}
                    <span title={name} className="line-clamp-3">
                      {name}
                    </span>
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {points.toReversed().map(({ label, texts }) => (
                <tr key={label} className="border-line border-b">
                  <th scope="row" className="whitespace-nowrap py-1 font-normal">
                    {label}
                  </th>
                  {texts.map((text, index) => (
                    <td key={names[index]} className="whitespace-nowrap py-1 pl-3 text-right tabular-nums">
                      {text}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      </Later>
    </details>
  )
})
