"use client"
import clsx from "clsx"
import { type ReactNode, useState } from "react"
import { Button } from "@/components/ui/button"

interface PhoneFiltersProps {
  /** How many filters are set. */
  count: number
  children: ReactNode
}

/** Hides filters on a phone behind one button that counts those that are set. Without JavaScript, all of them show. */
export function PhoneFilters({ count, children }: PhoneFiltersProps) {
  const [isOpen, setOpen] = useState(false)
  return (
    <div className="flex min-w-0 flex-col gap-3">
      <Button
        variant="secondary"
        className="self-start noscript:hidden sm:hidden"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        {count > 0 ? `Filters (${count})` : "Filters"}
      </Button>
      <div className={clsx("noscript:block", !isOpen && "max-sm:hidden")}>{children}</div>
    </div>
  )
}
