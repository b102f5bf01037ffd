import { Alert } from "@/components/ui/alert"
import { CodeBlock } from "@/components/ui/code-block"

/** Quotes an address for a shell command if it contains characters that a shell interprets. */
const quoteForShell = (text: string): string => (/^[\w.@+-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`)

export function TopUpsOff({ email }: { email: string }) {
  return (
    <section aria-labelledby="top-up" className="flex max-w-prose flex-col gap-3">
      <h2 id="top-up" className="font-semibold text-md">
        Top up
      </h2>
      <p className="text-ink-muted">
        You cannot pay by card yet, because this service is not connected to Stripe. Ask the operator for credit. The
        operator adds it on the server with this command:
      </p>
      <CodeBlock
        label="For the operator: add $10"
        code={`npm run operator -- account credit ${quoteForShell(email)} 10 --note "Credit"`}
      />
    </section>
  )
}

export function TestPayments() {
  return (
    <Alert tone="warn" title="Test payments only" className="max-w-text">
      This service is connected to a test version of Stripe. No card is charged and no real money moves.
    </Alert>
  )
}
