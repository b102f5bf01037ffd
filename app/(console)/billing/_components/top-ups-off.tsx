import { CodeBlock } from "@/components/ui/code-block"

/** An address as one word of a shell command; one with signs that a shell reads is quoted. */
const inShell = (text: string): string => (/^[\w.@+-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`)

/** Why there is no way to pay here, and how credit is added meanwhile. */
export function TopUpsOff({ email }: { email: string }) {
  return (
    <section aria-labelledby="top-up" className="flex max-w-prose flex-col gap-3">
      <h2 id="top-up" className="font-semibold text-md">
        Top up
      </h2>
      <p className="text-ink-muted">
        Top-ups by card are off until the operator of this service connects Stripe. To get credit, ask the operator, who
        adds it on the server with this command:
      </p>
      <CodeBlock
        label="For the operator, here $10"
        code={`npm run operator -- account credit ${inShell(email)} 10 --note "Credit"`}
      />
    </section>
  )
}
