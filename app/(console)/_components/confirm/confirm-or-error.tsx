"use client"
import { useState } from "react"
import { type ActionError, useAction } from "@/components/form/call-action"
import { FormError } from "@/components/form/form-error"
import { useCountdown } from "@/components/timing/use-countdown"
import { usePoll } from "@/components/timing/use-poll"
import { Alert } from "@/components/ui/alert"
import { Button } from "@/components/ui/button"
import {
  CONFIRMATIONS,
  type ConfirmedVerb,
  confirmationOf,
  type RequestedConfirmation,
} from "@/lib/shared/auth/confirmations"
import { LINK_MINUTES } from "@/lib/shared/auth/link-minutes"
import { requestConfirmationAction } from "./actions"
import { confirmWithPasskey } from "./confirm-with-passkey"
import { useHasPasskey } from "./passkey-provider"

const POLL_EVERY_MS = 2_000
/** Longer than a mailed link works. */
const POLL_FOR_MS = 15 * 60_000

interface ConfirmOrErrorProps {
  error: ActionError | null
  submitLabel: string
  /** The page that the mailed link leads to, by default this one. A function is called when the mail is requested. */
  returnTo?: string | (() => string)
}

/**
 * Shows the error of a form. For `confirmation_required`, offers to mail a link that confirms what was refused instead, and to a user
 * who has a passkey also that. Once it is confirmed, it asks the user to submit the form again, which keeps what was typed.
 */
export function ConfirmOrError({ error, ...notice }: ConfirmOrErrorProps) {
  const confirmation = error?.code === "confirmation_required" ? confirmationOf(error.param) : null
  if (!confirmation) return <FormError error={error} />
  return <ConfirmNotice {...notice} verb={error?.param as ConfirmedVerb} asks={confirmation.asks} />
}

/** Requests the mail, then polls for 15 minutes until the verb is confirmed in this session, possibly on another device. */
function useConfirmation(verb: ConfirmedVerb, returnTo: ConfirmOrErrorProps["returnTo"] = window.location.pathname) {
  const [requested, setRequested] = useState<RequestedConfirmation | null>(null)
  const [requestCount, setRequestCount] = useState(0)
  const [confirmed, setConfirmed] = useState(false)
  const { run, error, pending } = useAction(requestConfirmationAction, (data) => {
    setRequested(data)
    setRequestCount((count) => count + 1)
  })
  usePoll(
    confirmed ? 0 : requestCount,
    (elapsedMs) => (elapsedMs < POLL_FOR_MS ? POLL_EVERY_MS : null),
    async () => {
      const response = await fetch("/confirmation").catch(() => null)
      if (response?.ok && (await response.json()).confirmed.includes(CONFIRMATIONS[verb].scope)) setConfirmed(true)
    },
  )
  const passkey = useAction(confirmWithPasskey, () => setConfirmed(true))
  const request = () => run({ verb, returnTo: typeof returnTo === "function" ? returnTo() : returnTo })
  return { requested, requestCount, error, pending, confirmed, request, passkey }
}

interface ConfirmNoticeProps extends Omit<ConfirmOrErrorProps, "error"> {
  verb: ConfirmedVerb
  asks: string
}

function ConfirmNotice({ verb, asks, submitLabel, returnTo }: ConfirmNoticeProps) {
  const { requested, requestCount, error, pending, confirmed, request, passkey } = useConfirmation(verb, returnTo)
  const hasPasskey = useHasPasskey()
  // An operator may have signed in with the OpenID provider a minute ago, which does not open the operator's area.
  const why = CONFIRMATIONS[verb].scope === "operator" ? "" : "You signed in more than 24 hours ago. "
  if (confirmed)
    return (
      <Alert tone="ok" role="status" title="Confirmed">
        Select “{submitLabel}” to continue.
      </Alert>
    )
  return (
    <>
      <FormError error={passkey.error} />
      <FormError error={error} />
      <Alert
        tone="warn"
        role="alert"
        title="Confirm that it is you"
        action={
          <div className="flex flex-wrap gap-2">
            {hasPasskey ? <PasskeyButton pending={passkey.pending} onUse={() => passkey.run(verb)} /> : null}
            <SendButton requested={requested} requestCount={requestCount} pending={pending} onSend={request} />
          </div>
        }
      >
        {requested
          ? `Open the link that we e-mailed you, on any device. It works for ${LINK_MINUTES} minutes. What you typed is kept here.`
          : `${why}To ${asks}, ${hasPasskey ? "use a passkey, or " : ""}open a link that we mail to you.`}
      </Alert>
    </>
  )
}

function PasskeyButton({ pending, onUse }: { pending: boolean; onUse: () => void }) {
  return (
    <Button variant="secondary" size="sm" pending={pending} pendingLabel="Waiting…" onClick={onUse}>
      Use a passkey
    </Button>
  )
}

interface SendButtonProps {
  requested: RequestedConfirmation | null
  requestCount: number
  pending: boolean
  onSend: () => void
}

function SendButton({ requested, requestCount, pending, onSend }: SendButtonProps) {
  const seconds = useCountdown(requested?.retryAfterSeconds ?? 0, requestCount)
  const isWaiting = requested !== null && seconds !== null && seconds > 0
  return (
    <Button
      variant="secondary"
      size="sm"
      pending={pending}
      pendingLabel="Sending…"
      disabled={isWaiting}
      onClick={onSend}
      className="tabular-nums"
    >
      {isWaiting ? `Send again in ${seconds} s` : requested ? "Send again" : "E-mail me a link"}
    </Button>
  )
}
