"use client"
import { useState } from "react"
import { useActionForm } from "@/components/form/use-action-form"
import { Button } from "@/components/ui/button"
import type { AutoTopup } from "@/lib/server/billing/auto-topup"
import { cardName, type SavedCard } from "@/lib/shared/billing/auto-topup"
import { ConfirmOrError } from "../../../_components/confirm/confirm-or-error"
import { FormDialog } from "../../../_components/form-dialog"
import { removeCardAction, startCardSessionAction } from "../../actions"

const REASON = "This protects your card if somebody else uses your browser."

interface CardSectionProps {
  auto: AutoTopup
  mayChange: boolean
}

/** Shows the saved card, and lets an owner save, replace or remove it. */
export function CardSection({ auto: { card, state }, mayChange }: CardSectionProps) {
  return (
    <section aria-labelledby="card" className="flex flex-col gap-3">
      <h2 id="card" className="font-semibold text-md">
        Card
      </h2>
      {card ? (
        <p>
          <span className="font-medium">{cardName(card)}</span>
          <span className="text-ink-muted">, expires {expiryOf(card)}</span>
        </p>
      ) : (
        <p className="text-ink-muted">
          No card is saved. You enter it at Stripe, which keeps it. Nothing is charged until you turn automatic top-up
          on.
        </p>
      )}
      {mayChange ? (
        <div className="flex flex-wrap items-start gap-2">
          <SaveCard isReplacing={card !== null} />
          {card ? <RemoveCard card={card} isOn={state !== "off"} /> : null}
        </div>
      ) : null}
    </section>
  )
}

const expiryOf = ({ expMonth, expYear }: SavedCard): string => `${String(expMonth).padStart(2, "0")}/${expYear}`

function SaveCard({ isReplacing }: { isReplacing: boolean }) {
  const [isLeaving, setIsLeaving] = useState(false)
  const { submit, formError, pending } = useActionForm({
    schema: async () => (await import("@/lib/shared/billing/auto-topup")).NoInput,
    defaultValues: {},
    action: startCardSessionAction,
    onDone: ({ checkoutUrl }) => {
      setIsLeaving(true)
      window.location.assign(checkoutUrl)
    },
  })
  const label = isReplacing ? "Replace card" : "Save a card at Stripe"
  return (
    <form onSubmit={submit} className="flex min-w-0 flex-col items-start gap-3">
      <ConfirmOrError error={formError} reason={REASON} submitLabel={label} returnTo={() => "/billing/auto-top-up"} />
      <Button
        type="submit"
        variant={isReplacing ? "secondary" : "primary"}
        pending={pending || isLeaving}
        pendingLabel="Opening Stripe…"
      >
        {label}
      </Button>
    </form>
  )
}

function RemoveCard({ card, isOn }: { card: SavedCard; isOn: boolean }) {
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button variant="secondary" onClick={() => setOpen(true)}>
        Remove card
      </Button>
      <FormDialog
        open={open}
        onClose={() => setOpen(false)}
        title={`Remove ${cardName(card)}`}
        description={
          isOn
            ? "Stripe forgets the card, and automatic top-up is turned off. Requests are refused once the balance is used up."
            : "Stripe forgets the card. You can save it again at any time."
        }
        schema={async () => (await import("@/lib/shared/billing/auto-topup")).NoInput}
        defaultValues={() => ({})}
        action={removeCardAction}
        onDone={() => setOpen(false)}
        submitLabel="Remove card"
        pendingLabel="Removing…"
        confirmReason={REASON}
      />
    </>
  )
}
