"use client"
import { type PointerEvent, useState } from "react"

/** This near the edge of what scrolls, the list scrolls along, so many pixels a frame. */
const EDGE_PX = 56
const SCROLL_PX = 12

interface DragInput {
  /** Selects the items in their order. */
  items: string
  onMove: (from: number, to: number) => void
}

export interface Drag {
  from: number
  /** The item lands before the one at this index. */
  gap: number
}

/** Before which item a pointer at this height lets go. */
function gapAt(items: string, y: number): number {
  const boxes = [...document.querySelectorAll(items)].map((item) => item.getBoundingClientRect())
  return boxes.filter(({ top, height }) => top + height / 2 < y).length
}

function scrollAlong(element: Element, y: number): void {
  const pane = element.closest(".lg\\:overflow-y-auto")
  const isPane = pane && getComputedStyle(pane).overflowY === "auto"
  const { top, bottom } = isPane ? pane.getBoundingClientRect() : { top: 0, bottom: window.innerHeight }
  const by = y < top + EDGE_PX ? -SCROLL_PX : y > bottom - EDGE_PX ? SCROLL_PX : 0
  if (by !== 0) (isPane ? pane : window).scrollBy(0, by)
}

/** Reorders a list by a handle on each item, with mouse, finger or pen; keys have buttons of their own. Escape lets be. */
export function useDragOrder({ items, onMove }: DragInput) {
  const [drag, setDrag] = useState<Drag | null>(null)

  const start = (event: PointerEvent<HTMLElement>, from: number) => {
    if (event.button !== 0) return
    event.preventDefault()
    const handle = event.currentTarget
    handle.setPointerCapture(event.pointerId)
    let y = event.clientY
    let gap = from
    let frame = 0
    const follow = () => {
      scrollAlong(handle, y)
      const now = gapAt(items, y)
      if (now !== gap) setDrag({ from, gap: now })
      gap = now
      frame = requestAnimationFrame(follow)
    }
    const move = (moved: globalThis.PointerEvent) => {
      y = moved.clientY
      if (frame === 0) frame = requestAnimationFrame(follow)
    }
    const end = (isDropped: boolean) => {
      cancelAnimationFrame(frame)
      listening.abort()
      setDrag(null)
      const to = gap > from ? gap - 1 : gap
      if (isDropped && to !== from) onMove(from, to)
    }
    const listening = new AbortController()
    const { signal } = listening
    handle.addEventListener("pointermove", move, { signal })
    handle.addEventListener("pointerup", () => end(true), { signal })
    handle.addEventListener("pointercancel", () => end(false), { signal })
    window.addEventListener("keydown", ({ key }) => key === "Escape" && end(false), { signal })
    setDrag({ from, gap: from })
  }
  return { drag, start }
}
