"use client"
import { useEffect, useEffectEvent, useState } from "react"
import { Alert } from "@/components/ui/alert"
import { Checkbox } from "@/components/ui/checkbox"
import { CopyButton } from "@/components/ui/copy-button"
import { Dialog, DialogActions } from "@/components/ui/dialog"
import { Field } from "@/components/ui/field"
import { Input } from "@/components/ui/input"
import { LinkButton } from "@/components/ui/link-button"
import { checkRequest } from "@/lib/shared/decisions/check-request"
import { formatCount } from "@/lib/shared/format"
import type { Outcome } from "@/lib/shared/runs/read-outcome"
import { thresholdsOf } from "@/lib/shared/runs/thresholds"
import { writeShare } from "@/lib/shared/share-link/share-link"
import { usePlaygroundStore } from "../model/playground-store"
import { requestText } from "../model/request-state"

/** Some mail and chat programs cut off longer links. */
const MAX_SAFE_LINK = 8_000

interface ShareDialogProps {
  /** The visible answers; null when there are none. */
  answered: Outcome | null
  onClose: () => void
}

type Link = { state: "making" } | { state: "invalid" } | { state: "too_long" } | { state: "made"; href: string }

const MAKING: Link = { state: "making" }

function useLink(answered: Outcome | null): Link {
  const { getState } = usePlaygroundStore()
  // With what it was made of, so that a link with answers is never shown as one without.
  const [made, setMade] = useState<{ answered: Outcome | null; link: Link }>({ answered, link: MAKING })
  const make = useEffectEvent(async (): Promise<Link> => {
    const text = answered?.exchange.requestText ?? requestText(getState().request)
    const checked = checkRequest(new TextEncoder().encode(text))
    if (!checked.ok) return { state: "invalid" }
    const thresholds = new Map(thresholdsOf(checked.request.questions, getState().thresholds))
    const responseText = answered?.exchange.responseText ?? null
    const fragment = await writeShare({ requestText: text, responseText, thresholds })
    if (fragment === null) return { state: "too_long" }
    return { state: "made", href: `${window.location.origin}/share#${fragment}` }
  })
  useEffect(() => {
    let isGone = false
    void make().then((link) => isGone || setMade({ answered, link }))
    return () => {
      isGone = true
    }
  }, [answered])
  return made.answered === answered ? made.link : MAKING
}

/** Makes a link that contains the request and optionally the answers. Nothing is sent to a server. */
export function ShareDialog({ answered, onClose }: ShareDialogProps) {
  const [withAnswers, setWithAnswers] = useState(answered !== null)
  const link = useLink(withAnswers ? answered : null)
  return (
    <Dialog
      open
      onOpenChange={(open) => open || onClose()}
      title="Share this request"
      description="The link itself contains the request and your thresholds. No server receives it. Anyone with the link can read it without an account."
    >
      <Alert tone="warn" title="The state is included">
        Share it only with people who may read the state
        {withAnswers ? ", the questions and the answers" : " and the questions"}. You cannot revoke a link.
      </Alert>
      {answered ? (
        <Checkbox
          label="Include the answers"
          hint="From the last run, with the request of that run."
          checked={withAnswers}
          onChange={(event) => setWithAnswers(event.target.checked)}
        />
      ) : null}
      <MadeLink link={link} />
    </Dialog>
  )
}

function MadeLink({ link }: { link: Link }) {
  if (link.state === "making") return <p className="text-ink-muted">Making the link…</p>
  if (link.state === "invalid")
    return <Alert tone="danger">The request is incomplete. Run it to see what is missing.</Alert>
  if (link.state === "too_long")
    return (
      <Alert tone="danger" title="Too long for a link">
        Even compressed, the request does not fit in a link. Shorten the state, or leave out the answers.
      </Alert>
    )
  const { href } = link
  return (
    <>
      <Field
        label="Link"
        hint={
          href.length > MAX_SAFE_LINK
            ? `${formatCount(href.length)} characters. Some mail and chat programs cut off links this long.`
            : undefined
        }
      >
        <Input mono readOnly value={href} onFocus={(event) => event.target.select()} />
      </Field>
      <DialogActions>
        <LinkButton href={href} target="_blank" variant="secondary">
          Open
        </LinkButton>
        <CopyButton text={href} label="Copy link" variant="primary" />
      </DialogActions>
    </>
  )
}
