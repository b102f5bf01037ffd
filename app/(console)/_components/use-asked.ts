"use client"
import { usePathname, useSearchParams } from "next/navigation"
import { useEffect, useEffectEvent } from "react"

/** Calls `open` when the address has `?NAME=1`, which the command menu links to. A reload does not call it again. */
export function useAsked(name: string, open: () => void): void {
  const path = usePathname()
  const isAsked = useSearchParams().get(name) === "1"
  const onAsked = useEffectEvent(() => {
    window.history.replaceState(null, "", path)
    open()
  })
  useEffect(() => {
    if (isAsked) onAsked()
  }, [isAsked])
}
