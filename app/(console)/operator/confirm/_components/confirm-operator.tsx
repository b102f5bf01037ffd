"use client"
import { ConfirmOrError } from "../../../_components/confirm/confirm-or-error"

const NEEDED = { code: "confirmation_required", message: "" }

export function ConfirmOperator({ next }: { next: string }) {
  return (
    <ConfirmOrError
      error={NEEDED}
      reason="A recent sign-in protects the accounts if somebody else uses your browser."
      submitLabel="Continue"
      returnTo={() => next}
    />
  )
}
