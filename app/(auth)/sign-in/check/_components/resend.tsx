"use client"
import { useCountdown } from "@/components/timing/use-countdown"
import { Button } from "@/components/ui/button"
import { formatSpan } from "@/lib/shared/format"

interface ResendProps {
  email: string
  next: string
  /** Time until another link may be sent. A duration, because the clocks of server and browser differ. */
  waitMs: number
}

const waitText = (seconds: number): string => (seconds > 90 ? formatSpan(seconds * 1_000) : `${seconds} s`)

/** Sends the link again once the waiting time is over. Without JavaScript the button is enabled and the server decides. */
export function Resend({ email, next, waitMs }: ResendProps) {
  const seconds = useCountdown(waitMs / 1_000)
  const isWaiting = seconds !== null && seconds > 0
  return (
    <form method="post" action="/api/auth/signin/email">
      <input type="hidden" name="email" value={email} />
      <input type="hidden" name="next" value={next} />
      <Button type="submit" variant="secondary" disabled={isWaiting} className="w-full tabular-nums">
        {isWaiting ? `Send again in ${waitText(seconds)}` : "Send again"}
      </Button>
    </form>
  )
}
