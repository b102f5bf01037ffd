"use client"
import { type KeyboardEvent, type PointerEvent, type ReactNode, startTransition, useState } from "react"
import { PointsTable } from "./points-table"

interface Point {
  label: string
  texts: readonly string[]
}

interface ChartCursorProps {
  title: string
  head: string
  names: readonly string[]
  points: readonly Point[]
  /** The columns there is room for. */
  room: number
  /** The drawing. */
  children: ReactNode
}

const PAGE = 7

/** Where a key leads from a place, or null when it leads nowhere. */
function placeAfter(key: string, place: number, last: number): number | null {
  const steps: Record<string, number> = {
    ArrowLeft: place - 1,
    ArrowDown: place - 1,
    ArrowRight: place + 1,
    ArrowUp: place + 1,
    PageDown: place - PAGE,
    PageUp: place + PAGE,
    Home: 0,
    End: last,
  }
  const next = steps[key]
  return next === undefined ? null : Math.min(last, Math.max(0, next))
}

/** Reads a chart out point by point, under the pointer and by arrow keys, and has its numbers as a table below. */
export function ChartCursor({ title, head, names, points, room, children }: ChartCursorProps) {
  const last = points.length - 1
  const [place, setPlace] = useState(last)
  const [shown, setShown] = useState(false)
  const point = points[place]
  // A quick finger and a held key pass points by that nobody waits for.
  const show = (next: number) =>
    startTransition(() => {
      setPlace(next)
      setShown(true)
    })
  const move = (event: KeyboardEvent) => {
    if (event.key === "Escape") return setShown(false)
    const next = placeAfter(event.key, place, last)
    if (next === null) return
    event.preventDefault()
    show(next)
  }
  const follow = (event: PointerEvent) => {
    const { left, width } = event.currentTarget.getBoundingClientRect()
    show(Math.min(last, Math.max(0, Math.floor(((event.clientX - left) / width) * room))))
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
        aria-valuenow={place}
        aria-valuetext={`${point?.label}: ${point?.texts.map((text, index) => `${names[index]} ${text}`).join(", ")}`}
        onKeyDown={move}
        onFocus={(event) => event.currentTarget.matches(":focus-visible") && setShown(true)}
        onBlur={() => setShown(false)}
        onPointerMove={follow}
        onPointerDown={follow}
        onPointerLeave={({ pointerType }) => pointerType === "mouse" && setShown(false)}
        onPointerCancel={() => setShown(false)}
        className="relative ml-16 touch-pan-y rounded-sm"
      >
        {children}
        {shown && point ? <Tooltip names={names} point={point} place={place} room={room} /> : null}
      </div>
      <PointsTable title={title} head={head} names={names} points={points} />
    </>
  )
}

interface TooltipProps {
  names: readonly string[]
  point: Point
  place: number
  room: number
}

/** The numbers of one point, on the side of it where there is more room. */
function Tooltip({ names, point, place, room }: TooltipProps) {
  const onLeft = place < room / 2
  return (
    <>
      <div
        className="pointer-events-none absolute top-0 bottom-6 bg-ink/10"
        style={{ left: `${(place / room) * 100}%`, width: `${100 / room}%` }}
      />
      <div
        className="pointer-events-none absolute top-0 z-20 max-w-64 rounded-md bg-ink px-3 py-2 text-bg text-sm shadow-float"
        style={
          onLeft
            ? { left: `calc(${((place + 1) / room) * 100}% + 6px)` }
            : { right: `calc(${((room - place) / room) * 100}% + 6px)` }
        }
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
