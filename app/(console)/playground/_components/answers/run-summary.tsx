"use client"
import clsx from "clsx"
import type { ReactNode } from "react"
import { CopyButton } from "@/components/ui/copy-button"
import { Money } from "@/components/ui/money"
import type { Outcome } from "@/lib/playground/read-outcome"

const NUMBER = new Intl.NumberFormat("en-US")

function Figure({ label, className, children }: { label: string; className?: string; children: ReactNode }) {
  return (
    <div className={clsx("min-w-0", className)}>
      <dt className="text-ink-muted text-sm">{label}</dt>
      <dd className="break-words tabular-nums">{children}</dd>
    </div>
  )
}

/** Who answered, what it cost, how long it took, and the id to ask about it with. */
export function RunSummary({ outcome }: { outcome: Extract<Outcome, { kind: "answered" }> }) {
  const { model, tokens, costUsd, requestId, exchange } = outcome
  const header = (name: string) => exchange.headers.find(([key]) => key === name)?.[1]
  const [remaining, limit] = [header("x-ratelimit-remaining"), header("x-ratelimit-limit")]
  return (
    <section aria-label="Summary" className="@container flex flex-col gap-3">
      <p role="status" className="sr-only">
        Answered
      </p>
      <dl className="grid grid-cols-2 gap-x-6 gap-y-3 @md:grid-cols-4">
        <Figure label="Billable tokens">{NUMBER.format(tokens)}</Figure>
        <Figure label="Cost">{costUsd ? <Money usd={costUsd} className="font-semibold" /> : "see Usage"}</Figure>
        <Figure label="Round trip">{NUMBER.format(exchange.latencyMs)} ms</Figure>
        <Figure label="Left this second">{remaining && limit ? `${remaining} of ${limit}` : "–"}</Figure>
        <Figure label="Answered by" className="col-span-full">
          <span className="break-all font-mono text-sm">{model}</span>
        </Figure>
        {requestId ? (
          <Figure label="Request id" className="col-span-full">
            <span className="flex flex-wrap items-center justify-between gap-x-3">
              <span className="break-all font-mono text-sm">{requestId}</span>
              <CopyButton text={requestId} size="sm" variant="quiet" ariaLabel="Copy the request id" />
            </span>
          </Figure>
        ) : null}
      </dl>
    </section>
  )
}
