import { Money } from "@/components/ui/money"
import { formatCount } from "@/lib/shared/format"
import type { Estimate } from "@/lib/shared/models/estimate-cost"
import type { PricedModel } from "./calculator"

/** How the number of tokens was come by, and how far it may be off. */
function Basis({ model, estimate }: { model: PricedModel; estimate: Estimate }) {
  if (model.isExact)
    return <p>Exact: this model counts a started group of 4 bytes of each text as one token, and so does this page.</p>
  return (
    <p>
      An estimate at 4 bytes a token. English is usually within a quarter of it; other languages and JSON can take more,
      but never more than {formatCount(estimate.mostTokens)} tokens
      {estimate.usd ? (
        <>
          , <Money exact usd={estimate.usd.most} /> for 1,000 requests
        </>
      ) : null}
      . The playground shows the exact number before you run.
    </p>
  )
}

/** What the texts in the calculator cost. */
export function CalculatorResult({ model, estimate }: { model: PricedModel; estimate: Estimate }) {
  const about = model.isExact ? null : <span className="font-normal text-ink-muted">about </span>
  return (
    <div className="flex flex-col gap-4 self-start border-line lg:border-l lg:pl-10">
      <output className="flex flex-col">
        <span className="text-ink-muted text-sm">1,000 requests cost</span>
        <span className="font-semibold text-xl tabular-nums">
          {about}
          {estimate.usd ? <Money exact usd={estimate.usd.perThousand} /> : "No price yet"}
        </span>
      </output>
      <dl className="grid grid-cols-[1fr_auto] gap-x-6 gap-y-1.5">
        <dt className="text-ink-muted">Input tokens of one request</dt>
        <dd className="text-right tabular-nums">
          {about}
          {formatCount(estimate.tokens)}
        </dd>
        <dt className="text-ink-muted">One request</dt>
        <dd className="text-right">
          {about}
          {estimate.usd ? <Money exact usd={estimate.usd.perRequest} /> : "–"}
        </dd>
        <dt className="text-ink-muted">1,000,000 input tokens</dt>
        <dd className="text-right">
          {model.pricePerMillionUsd ? <Money exact usd={model.pricePerMillionUsd} /> : "–"}
        </dd>
      </dl>
      <div className="max-w-text text-ink-muted text-sm">
        <Basis model={model} estimate={estimate} />
      </div>
    </div>
  )
}
