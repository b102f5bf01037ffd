"use client"
import { startTransition, useActionState, useState } from "react"
import { Button } from "@/components/ui/button"
import { Field } from "@/components/ui/field"
import { Cost, Money } from "@/components/ui/money"
import { Select } from "@/components/ui/select"
import { Textarea } from "@/components/ui/textarea"
import { formatCount, formatPrice } from "@/lib/shared/format"
import { type Estimate, estimateCost } from "@/lib/shared/models/estimate-cost"
import { echoInput } from "../actions"

export interface PricedModel {
  id: string
  pricePerMillionUsd: string | null
  /** True when the model counts bytes, as the calculator does, so that the result is not an estimate. */
  isExact: boolean
}

interface CalculatorProps {
  models: PricedModel[]
  example: { state: string; questions: string }
}

/**
 * Computes the cost of 1,000 requests during typing; without JavaScript, on submit. It changes no data, so it does not
 * use `useActionForm`. It is not a GET form, because the texts must not appear in an address.
 */
export function Calculator({ models, example }: CalculatorProps) {
  const [first] = models
  const [sent, send] = useActionState(echoInput, { model: first?.id ?? "", ...example })
  const [typed, setTyped] = useState(sent)
  const model = models.find(({ id }) => id === typed.model) ?? first
  if (!model) return null
  const change = (name: keyof typeof typed) => (event: { target: { value: string } }) => {
    const { value } = event.target
    // The fields are uncontrolled, so a typed character appears at once and the result may follow later.
    startTransition(() => setTyped((before) => ({ ...before, [name]: value })))
  }
  const texts = [typed.state, ...typed.questions.split("\n").map((line) => line.trim())]
  return (
    <form action={send} className="grid gap-x-10 gap-y-6 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
      <div className="flex min-w-0 flex-col gap-4">
        <Field label="Model">
          <Select name="model" defaultValue={sent.model} onChange={change("model")}>
            {models.map(({ id }) => (
              <option key={id} value={id}>
                {id}
              </option>
            ))}
          </Select>
        </Field>
        <Field
          label="State"
          hint="The text or JSON value that you ask about. It is billed once per request, for any number of questions."
        >
          <Textarea name="state" rows={4} defaultValue={sent.state} onChange={change("state")} />
        </Field>
        <Field label="Questions" hint="One text per line: instructions, option names, descriptions, levels.">
          <Textarea name="questions" rows={6} defaultValue={sent.questions} onChange={change("questions")} />
        </Field>
        <noscript>
          <Button type="submit">Calculate price</Button>
        </noscript>
      </div>
      <CalculatorResult model={model} estimate={estimateCost(texts, model.pricePerMillionUsd)} />
    </form>
  )
}

const isFree = ({ pricePerMillionUsd }: PricedModel): boolean => formatPrice(pricePerMillionUsd) === "Free"

function Basis({ model, estimate }: { model: PricedModel; estimate: Estimate }) {
  if (model.isExact)
    return <p>Exact: this model counts one token for every 4 bytes of each text, rounded up, and so does this page.</p>
  return (
    <p>
      Estimated at 4 bytes per token. For English the result is usually within 25%. Other languages and JSON can need
      more tokens, but never more than {formatCount(estimate.maxTokens)}
      {estimate.usd && !isFree(model) ? (
        <>
          {" "}
          (<Money usd={estimate.usd.maxPerThousand} /> for 1,000 requests)
        </>
      ) : null}
      . The playground shows the exact number before you run a request.
    </p>
  )
}

function CalculatorResult({ model, estimate }: { model: PricedModel; estimate: Estimate }) {
  const about = model.isExact ? null : <span className="font-normal text-ink-muted">about </span>
  return (
    <div className="flex flex-col gap-4 self-start border-line lg:border-l lg:pl-10">
      <output className="flex flex-col">
        <span className="text-ink-muted text-sm">1,000 requests cost</span>
        <span className="font-semibold text-xl tabular-nums">
          {isFree(model) ? null : about}
          {estimate.usd ? <Cost usd={estimate.usd.perThousand} /> : "No price yet"}
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
          {isFree(model) ? null : about}
          {estimate.usd ? <Cost usd={estimate.usd.perRequest} /> : "–"}
        </dd>
        <dt className="text-ink-muted">1,000,000 input tokens</dt>
        <dd className="text-right">{formatPrice(model.pricePerMillionUsd)}</dd>
      </dl>
      <div className="max-w-text text-ink-muted text-sm">
        <Basis model={model} estimate={estimate} />
      </div>
    </div>
  )
}
