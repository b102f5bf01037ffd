import { Support } from "@/components/site/support"
import { Alert } from "@/components/ui/alert"
import { Section } from "@/components/ui/section"

/** Says how to get credit without payments. */
export function TopUpsOff() {
  return (
    <Section id="top-up" title="Top up" className="max-w-prose">
      <p className="text-ink-muted">
        You cannot pay by card yet, because this service is not connected to Stripe. Ask <Support /> for credit.
      </p>
    </Section>
  )
}

export function TestPayments() {
  return (
    <Alert tone="warn" title="Test payments only" className="max-w-text">
      This service is connected to a test version of Stripe. No card is charged and no real money moves.
    </Alert>
  )
}
