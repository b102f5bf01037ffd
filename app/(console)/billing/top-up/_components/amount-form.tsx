"use client"
import clsx from "clsx"
import { useEffect, useRef, useState } from "react"
import { useWatch } from "react-hook-form"
import { v4 } from "uuid"
import { leaveFor } from "@/components/form/call-action"
import { FormField } from "@/components/form/form-field"
import { useActionForm } from "@/components/form/use-action-form"
import { Button } from "@/components/ui/button"
import { RadioGroup } from "@/components/ui/radio-group"
import type { TopupTerms } from "@/lib/server/billing/topup-terms"
import { topupCentsOf } from "@/lib/shared/billing/topup-bounds"
import { formatExactUsd, formatUsd } from "@/lib/shared/format"
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
  // One attempt per amount, so that submitting it again opens the same checkout.
  const attempts = useRef(new Map<string, string>())
  const [isOther, setIsOther] = useState(!terms.presets.includes(amountUsd))
  const { form, submit, formError, pending } = useActionForm({
    schema: async () => (await import("@/lib/shared/billing/schema")).StartTopupInput,
    defaultValues: { attempt: v4(), amountUsd },
    action: (input) => {
      const attempt = attempts.current.get(input.amountUsd) ?? v4()
      attempts.current.set(input.amountUsd, attempt)
      return startTopupAction({ ...input, attempt })
    },
    onDone: ({ checkoutUrl }) => leaveFor(checkoutUrl),
  })
  const choose = (value: string) => {
    setIsOther(value === OTHER.value)
    if (value === OTHER.value) return
    form.setValue("amountUsd", value)
    form.clearErrors("amountUsd")
  }
  return { form, submit, formError, isOther, choose, pending }
}

type AmountControl = ReturnType<typeof useAmountForm>["form"]["control"]

interface AmountChoiceProps {
  control: AmountControl
  presets: readonly string[]
  isOther: boolean
  onChoose: (value: string) => void
}

/** Shows the form that buys credit. Submitting the same amount several times makes one purchase. */
export function AmountForm({ amountUsd, terms }: AmountFormProps) {
  useReloadOnReturn()
  const { form, submit, formError, isOther, choose, pending } = useAmountForm({ amountUsd, terms })
  return (
    <form onSubmit={submit} noValidate className="flex max-w-text flex-col gap-5">
      <ConfirmOrError
        error={formError}
        submitLabel="Go to checkout"
        returnTo={() => `/billing/top-up?amount=${form.getValues("amountUsd")}`}
      />
      <AmountChoice control={form.control} presets={terms.presets} isOther={isOther} onChoose={choose} />
      {isOther ? (
        <FormField
          form={form}
          name="amountUsd"
          label="Amount in USD"
          hint={`From ${formatExactUsd(terms.minUsd)} to ${formatExactUsd(terms.maxUsd)}.`}
          inputMode="decimal"
          required
        />
      ) : null}
      <Sums control={form.control} terms={terms} />
      <Button type="submit" pending={pending} pendingLabel="Opening checkout…">
        Go to checkout
      </Button>
    </form>
  )
}

/** Watches the amount itself, as `Sums` does, so that the rest of the form does not render again when it changes. */
function AmountChoice({ control, presets, isOther, onChoose }: AmountChoiceProps) {
  const amount = useWatch({ control, name: "amountUsd" })
  return (
    <RadioGroup
      label="Credit"
      // If the form is submitted before hydration, it reloads this page with the same amount.
      name="amount"
      options={[...presets.map((usd) => ({ value: usd, label: `$${usd}` })), OTHER]}
      value={isOther ? OTHER.value : amount}
      onChange={(event) => onChoose(event.target.value)}
    />
  )
}

/** Shows what is paid for an amount, or dashes for one that cannot be bought. */
function Sums({ control, terms }: { control: AmountControl; terms: TopupTerms }) {
  const entered = useWatch({ control, name: "amountUsd" })
  const isSold = topupCentsOf(entered, terms) !== null
  const amount = formatUsd(entered)
  return (
    <dl className="flex flex-col gap-1 border-line border-y py-3 tabular-nums">
      <Line name="Added to your balance">{isSold ? amount : "–"}</Line>
      <Line name="Tax">{terms.taxed ? "added at checkout" : "none"}</Line>
      <Line name="You pay" isTotal>
        {isSold ? `${amount}${terms.taxed ? " plus tax" : ""}` : "–"}
      </Line>
    </dl>
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
