import { Support } from "@/components/site/support"
import { Alert } from "@/components/ui/alert"
import { CodeBlock } from "@/components/ui/code-block"
import { Section } from "@/components/ui/section"
import { runtime } from "@/lib/server/platform/runtime"
import { readSite } from "@/lib/server/platform/site"
import { supportHref } from "@/lib/shared/site/site"

/** Quotes an address for a shell command if it contains characters that a shell interprets. */
const quoteForShell = (text: string): string => (/^[\w.@+-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`)

/** Says how to get credit without payments. The operator's command is left out where customers have a contact. */
export function TopUpsOff({ email }: { email: string }) {
  const hasContact = supportHref(readSite(runtime()).support) !== null
  return (
    <Section id="top-up" title="Top up" className="max-w-prose">
      <p className="text-ink-muted">
        You cannot pay by card yet, because this service is not connected to Stripe. Ask <Support /> for credit.
        {hasContact ? null : " The operator adds it on the server with this command:"}
      </p>
      {hasContact ? null : (
        <CodeBlock
          label="For the operator: add $10"
          code={`npm run operator -- account credit ${quoteForShell(email)} 10 --note "Credit"`}
        />
      )}
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
