"use client"
import { type PointerEvent, useEffect, useRef, useState } from "react"

// Not dnd-kit, whose core and sortable add 14.6 kB of gzip to the first load (docs/decisions/0005). The cards' buttons serve keyboards.

/** Within this distance from the edge, the scroll container scrolls along. */
const EDGE_PX = 56
const SCROLL_PX_PER_FRAME = 12

interface DragInput {
  /** CSS selector that matches the items in display order. */
  items: string
  onMove: (from: number, to: number) => void
}

export interface Drag {
  from: number
  /** The item is dropped before the item at this index. */
  gap: number
}

function gapAt(items: string, y: number): number {
  const boxes = [...document.querySelectorAll(items)].map((item) => item.getBoundingClientRect())
  return boxes.filter(({ top, height }) => top + height / 2 < y).length
}

function scrollParent(element: Element): Element | null {
  for (let parent = element.parentElement; parent; parent = parent.parentElement)
    if (getComputedStyle(parent).overflowY === "auto") return parent
  return null
}

function scrollAlong(element: Element, y: number): void {
  const parent = scrollParent(element)
  const { top, bottom } = parent?.getBoundingClientRect() ?? { top: 0, bottom: window.innerHeight }
  const by = y < top + EDGE_PX ? -SCROLL_PX_PER_FRAME : y > bottom - EDGE_PX ? SCROLL_PX_PER_FRAME : 0
  if (by !== 0) (parent ?? window).scrollBy(0, by)
}

/** Reorders a list by a handle on each item, with mouse, touch or pen. Escape and leaving the page cancel. `start` is stable. */
export function useDragOrder({ items, onMove }: DragInput) {
  const [drag, setDrag] = useState<Drag | null>(null)
  const latest = useRef({ items, onMove })
  useEffect(() => {
    latest.current = { items, onMove }
  })
  const cancel = useRef(() => {})
  useEffect(() => () => cancel.current(), [])

  const [start] = useState(() => (event: PointerEvent<HTMLElement>, from: number) => {
    if (event.button !== 0) return
    event.preventDefault()
    const handle = event.currentTarget
    handle.setPointerCapture(event.pointerId)
    let y = event.clientY
    let gap = from
    let frame = 0
    const follow = () => {
      scrollAlong(handle, y)
      const now = gapAt(latest.current.items, y)
      if (now !== gap) setDrag({ from, gap: now })
      gap = now
      frame = requestAnimationFrame(follow)
    }
    const listening = new AbortController()
    const end = (isDropped: boolean) => {
      cancelAnimationFrame(frame)
      listening.abort()
      setDrag(null)
      const to = gap > from ? gap - 1 : gap
      if (isDropped && to !== from) latest.current.onMove(from, to)
    }
    cancel.current = () => end(false)
    const move = (moved: globalThis.PointerEvent) => {
      y = moved.clientY
      if (frame === 0) frame = requestAnimationFrame(follow)
    }
    const { signal } = listening
    handle.addEventListener("pointermove", move, { signal })
    handle.addEventListener("pointerup", () => end(true), { signal })
    handle.addEventListener("pointercancel", () => end(false), { signal })
    window.addEventListener("keydown", ({ key }) => key === "Escape" && end(false), { signal })
    setDrag({ from, gap: from })
  })
  return { drag, start }
}
