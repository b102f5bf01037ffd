import type { ReactNode } from "react"
import { Section } from "@/components/ui/section"
import { formatDateTime } from "@/lib/shared/format"
import { ALIAS } from "@/lib/shared/models/model-ids"
import type { Stay } from "@/lib/shared/models/stay"
import { StayForm } from "./stay-form"

interface EarlierModelProps {
  /** The model on which the alias stays for the account; null for its own. */
  stay: Stay | null
  /** The model on which it could stay; null without a move in the last 30 days and without an announced one. */
  offer: Stay | null
  mayChange: boolean
}

interface KeptProps extends Pick<EarlierModelProps, "stay" | "mayChange"> {
  model: ReactNode
  end: string
  isAhead: boolean
}

function Kept({ stay, mayChange, model, end, isAhead }: KeptProps) {
  const who = mayChange ? "you" : "an owner"
  if (stay && isAhead)
    return (
      <>
        When {ALIAS} moves, it stays on {model} for this account until {end} (UTC), with that model's price and limits.
      </>
    )
  if (stay)
    return (
      <>
        {ALIAS} stays on {model} for this account until {end} (UTC), with that model's price and limits.
      </>
    )
  if (isAhead)
    return (
      <>
        {ALIAS} will move away from {model}. Before or after the move, {who} can keep it there for this account, until{" "}
        {end} (UTC).
      </>
    )
  return (
    <>
      {ALIAS} moved away from {model}. Until {end} (UTC), {who} can keep it there for this account.
    </>
  )
}

function Statement({ stay, offer, mayChange }: EarlierModelProps) {
  const shown = stay ?? offer
  if (!shown) return null
  const model = <code className="wrap-anywhere font-mono text-sm">{shown.model}</code>
  const end = formatDateTime(new Date(shown.until))
  return (
    <>
      <Kept {...{ stay, mayChange, model, end }} isAhead={shown.isAhead} /> While that model is retired or unavailable,
      the newer one answers. Each answer names the model that produced it.
    </>
  )
}

/** Shows whether the alias stays on its earlier model for the account, and lets owners change it. Renders nothing while no model is offered. */
export function EarlierModel({ stay, offer, mayChange }: EarlierModelProps) {
  if (!stay && !offer) return null
  return (
    <Section
      id="earlier-model"
      title="The earlier model"
      hint={<Statement stay={stay} offer={offer} mayChange={mayChange} />}
      className="mt-10 border-line border-t pt-8"
    >
      {mayChange ? <StayForm stays={stay !== null} /> : null}
    </Section>
  )
}
