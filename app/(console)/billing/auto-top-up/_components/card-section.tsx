"use client"
import { leaveFor, useAction } from "@/components/form/call-action"
import { Button } from "@/components/ui/button"
import { Section } from "@/components/ui/section"
import type { AutoTopup } from "@/lib/server/billing/auto-topup"
import { cardName, type SavedCard } from "@/lib/shared/billing/saved-card"
import { ConfirmOrError } from "../../../_components/confirm/confirm-or-error"
import { dialogForm, preloadFormDialog, useFormDialog } from "../../../_components/form-dialog"
import { removeCardAction, startCardSessionAction } from "../../actions"

interface CardSectionProps {
  auto: AutoTopup
  mayChange: boolean
}

/** Shows the saved card, and lets an owner save, replace or remove it. */
export function CardSection({ auto: { card, state }, mayChange }: CardSectionProps) {
  return (
    <Section id="card" title="Card">
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
    </Section>
  )
}

const expiryOf = ({ expMonth, expYear }: SavedCard): string => `${String(expMonth).padStart(2, "0")}/${expYear}`

function SaveCard({ isReplacing }: { isReplacing: boolean }) {
  const { run, error, pending } = useAction(startCardSessionAction, ({ checkoutUrl }) => leaveFor(checkoutUrl))
  const label = isReplacing ? "Replace card" : "Save a card at Stripe"
  return (
    <div className="flex min-w-0 flex-col items-start gap-3">
      <ConfirmOrError error={error} submitLabel={label} />
      <Button
        variant={isReplacing ? "secondary" : "primary"}
        pending={pending}
        pendingLabel="Opening Stripe…"
        onClick={() => run({})}
      >
        {label}
      </Button>
    </div>
  )
}

const removeForm = (card: SavedCard, isOn: boolean) =>
  dialogForm({
    title: `Remove ${cardName(card)}`,
    description: isOn
      ? "Stripe forgets the card, and automatic top-up is turned off. Requests are refused once the balance is used up."
      : "Stripe forgets the card. You can save it again at any time.",
    defaultValues: {},
    action: removeCardAction,
    submitLabel: "Remove card",
    pendingLabel: "Removing…",
  })

function RemoveCard({ card, isOn }: { card: SavedCard; isOn: boolean }) {
  const { show, dialog } = useFormDialog()
  return (
    <>
      <Button variant="secondary" {...preloadFormDialog} onClick={() => show(removeForm(card, isOn))}>
        Remove card
      </Button>
      {dialog}
    </>
  )
}
