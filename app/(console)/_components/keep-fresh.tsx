"use client"
import { usePathname, useRouter } from "next/navigation"
import { useEffect, useEffectEvent } from "react"

/** How long Next shows a page that was loaded ahead: `staleTimes.static` in `next.config.ts`. */
const KEPT_MS = 30_000
/** Older figures are read again after they are shown. */
const FRESH_MS = 2_000

const loadedAt = new Map<string, number>()

/** Records that a page is loaded ahead of a click, unless an earlier load still counts. */
export function recordPrefetch(href: string): void {
  const now = Date.now()
  if (now - (loadedAt.get(href) ?? 0) > KEPT_MS) loadedAt.set(href, now)
}

/** Reads a page again after it opened, if it was loaded ahead some time before: its figures may have changed. */
export function KeepFresh() {
  const path = usePathname()
  const router = useRouter()
  const onArrival = useEffectEvent((href: string) => {
    const at = loadedAt.get(href)
    if (at !== undefined && Date.now() - at > FRESH_MS) router.refresh()
  })
  useEffect(() => onArrival(path), [path])
  return null
}
