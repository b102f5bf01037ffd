"use client"
import { Play } from "lucide-react"
import { useState } from "react"
import { KeyField, limitText, ModelField, priceText } from "@/components/run-choices"
import { Alert } from "@/components/ui/alert"
import { Button } from "@/components/ui/button"
import { Field } from "@/components/ui/field"
import { Input } from "@/components/ui/input"
import { Money } from "@/components/ui/money"
import { formatCount } from "@/lib/shared/format"
import { parsePricePerMillion, parseUsd, pico, usd12 } from "@/lib/shared/money"
import { useAccount, useOpenSet, useOpenSetStore } from "../../model/open-set"
import { costOf } from "../../run/price-run"
import { type Price, usePrice } from "../../run/use-price"
import type { RunControl } from "../../run/use-runner"
import { PricePanel } from "./price-panel"

const PICO_PER_CENT = 10_000_000_000n

/** Returns a tenth more than the upper end of a price's range, in whole cents, rounded up. Empty for a free model. */
function suggestedCap(price: Price): string {
  if (price.phase !== "priced") return ""
  const high = costOf(price.priced.high, parsePricePerMillion(price.price ?? ""))
  if (high === 0n) return ""
  const cents = ((high * 11n) / 10n + PICO_PER_CENT - 1n) / PICO_PER_CENT
  return usd12(pico(cents * PICO_PER_CENT)).slice(0, -10)
}

/** Lets the user choose model, key and cap, shows the price, and starts a run. */
export function NewRun({ control }: { control: RunControl }) {
  const account = useAccount()
  const { models, keys } = account
  const { getState, changeSet } = useOpenSetStore()
  const model = useOpenSet(({ set }) => set.form.model)
  const keyId = useOpenSet(({ set }) => set.form.keyId)
  const rows = useOpenSet(({ summary }) => summary?.usable.length ?? 0)
  const isAgain = useOpenSet(({ run }) => run !== null)
  const chosen = models.find(({ id }) => id === model) ?? models[0]
  const price = usePrice(chosen?.pinnedId ?? model)
  const [typedCap, setTypedCap] = useState<string | null>(null)
  const cap = typedCap ?? suggestedCap(price)
  const capPico = parseUsd(cap)
  const isCapValid = cap.trim() === "" || (capPico !== null && capPico > 0n)
  const change = (next: { model?: string; keyId?: string }) =>
    changeSet({ form: { ...getState().set.form, modelSpelled: undefined, ...next } })
  const begin = () => void control.begin(capPico === null ? null : usd12(capPico))
  return (
    <section aria-label="New run" className="flex flex-col gap-5">
      <h2 className="font-medium text-md">{isAgain ? "Run again" : "Run"}</h2>
      {chosen?.caution ? <Alert tone="warn">{chosen.caution}</Alert> : null}
      <div className="grid gap-4 sm:grid-cols-2">
        <ModelField
          models={models}
          value={chosen?.id ?? ""}
          className="min-w-0"
          onChange={(next) => change({ model: next })}
        />
        <KeyField keys={keys} value={keyId} className="min-w-0" onChange={(next) => change({ keyId: next })} />
      </div>
      <p className="text-ink-muted text-sm">
        {priceText(chosen)}. {limitText(keys.find(({ id }) => id === keyId))}. Balance{" "}
        <Money usd={account.balanceUsd} />. Requests name{" "}
        <span className="wrap-anywhere font-mono">{chosen?.pinnedId}</span>, so that one model answers every row.
      </p>
      <PricePanel price={price} rows={rows} keyId={keyId} />
      <div className="flex flex-wrap items-start gap-4">
        <Field
          label="Stop at a cost of, in USD"
          hint="Rows that could exceed it are not sent. Leave it empty for no cap."
          error={isCapValid ? undefined : "Enter an amount such as 1.50."}
          className="w-72"
        >
          <Input inputMode="decimal" value={cap} onChange={({ target }) => setTypedCap(target.value)} />
        </Field>
        <Button className="mt-7" onClick={begin} disabled={price.phase === "impossible" || rows === 0 || !isCapValid}>
          <Play aria-hidden className="size-3.5" />
          Run {formatCount(rows)} rows
        </Button>
      </div>
    </section>
  )
}
