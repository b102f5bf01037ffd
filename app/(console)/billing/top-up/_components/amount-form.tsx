"use client"
import clsx from "clsx"
import { useEffect, useRef, useState } from "react"
import { v4 } from "uuid"
import { useActionForm } from "@/components/form/use-action-form"
import { Button } from "@/components/ui/button"
import { Field } from "@/components/ui/field"
import { Input } from "@/components/ui/input"
import { RadioGroup } from "@/components/ui/radio-group"
import type { TopupTerms } from "@/lib/server/billing/topup-terms"
import { formatUsd } from "@/lib/shared/format"
import { ConfirmOrError } from "../../../_components/confirm/confirm-or-error"
import { startTopupAction } from "../../actions"

const OTHER = { value: "other", label: "Other" }

interface AmountFormProps {
  amountUsd: string
  terms: TopupTerms
}

/**
 * Reloads the page when the browser restores it from its cache on the way back from the checkout. The restored page would
 * still show the pending button and an old balance.
 */
function useReloadOnReturn(): void {
  useEffect(() => {
    const reload = (event: PageTransitionEvent) => event.persisted && window.location.reload()
    window.addEventListener("pageshow", reload)
    return () => window.removeEventListener("pageshow", reload)
  }, [])
}

function useAmountForm({ amountUsd, terms }: AmountFormProps) {
  // By amount.
  const purchaseIds = useRef(new Map<string, string>())
  const [isLeaving, setIsLeaving] = useState(false)
  const [isOther, setIsOther] = useState(!terms.presets.includes(amountUsd))
  const { form, submit, formError, pending } = useActionForm({
    schema: async () => (await import("@/lib/shared/billing/schema")).StartTopupInput,
    defaultValues: { attempt: v4(), amountUsd },
    action: (input) => {
      const attempt = purchaseIds.current.get(input.amountUsd) ?? v4()
      purchaseIds.current.set(input.amountUsd, attempt)
      return startTopupAction({ ...input, attempt })
    },
    onDone: ({ checkoutUrl }) => {
      setIsLeaving(true)
      window.location.assign(checkoutUrl)
    },
  })
  const choose = (value: string) => {
    setIsOther(value === OTHER.value)
    if (value !== OTHER.value) form.setValue("amountUsd", value, { shouldValidate: true })
  }
  return { form, submit, formError, isOther, choose, pending: pending || isLeaving }
}

/** Shows the form that buys credit. Submitting the same amount several times makes one purchase. */
export function AmountForm({ amountUsd, terms }: AmountFormProps) {
  useReloadOnReturn()
  const { form, submit, formError, isOther, choose, pending } = useAmountForm({ amountUsd, terms })
  const amount = form.watch("amountUsd")
  return (
    <form onSubmit={submit} noValidate className="flex max-w-text flex-col gap-5">
      <ConfirmOrError
        error={formError}
        reason="This protects you if somebody else uses your browser."
        submitLabel="Go to checkout"
        returnTo={() => `/billing/top-up?amount=${form.getValues("amountUsd")}`}
      />
      <RadioGroup
        label="Credit"
        // If the form is submitted before hydration, it reloads this page with the same amount.
        name="amount"
        options={[...terms.presets.map((usd) => ({ value: usd, label: `$${usd}` })), OTHER]}
        value={isOther ? OTHER.value : amount}
        onChange={(event) => choose(event.target.value)}
      />
      {isOther ? (
        <Field
          label="Amount in USD"
          hint={`From ${terms.minAmount} to ${terms.maxAmount}.`}
          error={form.formState.errors.amountUsd?.message}
          required
        >
          <Input {...form.register("amountUsd")} inputMode="decimal" autoComplete="off" className="tabular-nums" />
        </Field>
      ) : null}
      <dl className="flex flex-col gap-1 border-line border-y py-3 tabular-nums">
        <Line name="Added to your balance">{formatUsd(amount)}</Line>
        <Line name="Tax">{terms.taxed ? "added at checkout" : "none"}</Line>
        <Line name="You pay" isTotal>
          {terms.taxed ? `${formatUsd(amount)} plus tax` : formatUsd(amount)}
        </Line>
      </dl>
      <Button type="submit" pending={pending} pendingLabel="Opening checkout…">
        Go to checkout
      </Button>
    </form>
  )
}

interface LineProps {
  name: string
  isTotal?: boolean
  children: string
}

const Line = ({ name, isTotal = false, children }: LineProps) => (
  <div className={clsx("flex justify-between gap-4", isTotal && "font-semibold")}>
    <dt className={isTotal ? undefined : "text-ink-muted"}>{name}</dt>
    <dd>{children}</dd>
  </div>
)
