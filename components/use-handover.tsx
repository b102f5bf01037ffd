"use client"
import { useRouter } from "next/navigation"
import { type ReactNode, useState } from "react"
import { Alert } from "./ui/alert"

/**
 * Returns a function that opens a page for which `store` leaves a request in this browser, and what to show when `store` returned
 * false, because the browser blocks storage. `what` names what is handed over.
 */
export function useHandover(href: string, what: string): { open: (store: () => boolean) => void; refusal: ReactNode } {
  const router = useRouter()
  const [isBlocked, setBlocked] = useState(false)
  const open = (store: () => boolean) => (store() ? router.push(href) : setBlocked(true))
  const refusal = isBlocked ? (
    <Alert tone="danger" role="alert" className="max-w-text">
      This browser blocks storage for this page, or has no room left, so {what} cannot be handed over.
    </Alert>
  ) : null
  return { open, refusal }
}
