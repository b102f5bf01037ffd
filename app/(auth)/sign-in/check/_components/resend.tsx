"use client"
import { useEffect, useState } from "react"
import { Button } from "@/components/ui/button"
import { formatSpan } from "@/lib/shared/format"

interface ResendProps {
  email: string
  next: string
  /** How long until another link may be sent; told as a span, for clocks differ. */
  waitMs: number
}

const waitText = (seconds: number): string => (seconds > 90 ? formatSpan(seconds * 1_000) : `${seconds} s`)

/** Sends the link again once the wait is over, and says how long that is. Without scripts the server judges alone. */
export function Resend({ email, next, waitMs }: ResendProps) {
  const [seconds, setSeconds] = useState<number | null>(null)

  useEffect(() => {
    const endsAt = performance.now() + waitMs
    const tick = () => setSeconds(Math.max(0, Math.ceil((endsAt - performance.now()) / 1_000)))
    tick()
    const timer = setInterval(tick, 250)
    return () => clearInterval(timer)
  }, [waitMs])

  const waiting = seconds !== null && seconds > 0
  return (
    <form method="post" action="/api/auth/signin/email">
      <input type="hidden" name="email" value={email} />
      <input type="hidden" name="next" value={next} />
      <Button type="submit" variant="secondary" disabled={waiting} className="w-full tabular-nums">
        {waiting ? `Send again in ${waitText(seconds)}` : "Send again"}
      </Button>
    </form>
  )
}
