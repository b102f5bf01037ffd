"use client"
import { usePathname } from "next/navigation"
import { type ReactNode, useEffect, useState } from "react"
import { usePendingNavigation } from "./use-pending-navigation"

/** A page that takes longer is replaced by a skeleton. */
const LATE_MS = 1_000

const pathOf = (url: string): string => new URL(url, window.location.href).pathname

/** Returns true once `isActive` has been true for `LATE_MS`. */
function useIsLate(isActive: boolean): boolean {
  const [isLate, setLate] = useState(false)
  useEffect(() => {
    if (!isActive) return
    const timer = setTimeout(() => setLate(true), LATE_MS)
    return () => {
      clearTimeout(timer)
      setLate(false)
    }
  }, [isActive])
  return isActive && isLate
}

/** Renders a page, or a skeleton in its place while another page is late. What was typed stays, for a navigation that fails. */
export function PageSlot({ children }: { children: ReactNode }) {
  const to = usePendingNavigation()
  const path = usePathname()
  const isLate = useIsLate(to !== null && pathOf(to) !== path)
  return (
    <>
      {isLate ? <PageSkeleton /> : null}
      <div hidden={isLate} className="contents">
        {children}
      </div>
    </>
  )
}

function PageSkeleton() {
  return (
    <div aria-hidden data-skeleton className="flex animate-breathe flex-col gap-4">
      <div className="h-7 w-48 rounded-md bg-sunken" />
      <div className="h-5 w-full max-w-text rounded-md bg-sunken" />
      <div className="mt-4 h-40 rounded-md bg-sunken" />
      <div className="h-40 rounded-md bg-sunken" />
    </div>
  )
}
