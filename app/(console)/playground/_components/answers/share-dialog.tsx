"use client"
import { useEffect, useState } from "react"
import { Alert } from "@/components/ui/alert"
import { Checkbox } from "@/components/ui/checkbox"
import { CopyButton } from "@/components/ui/copy-button"
import { Dialog, DialogActions } from "@/components/ui/dialog"
import { Field } from "@/components/ui/field"
import { Input } from "@/components/ui/input"
import { LinkButton } from "@/components/ui/link-button"
import { checkRequest } from "@/lib/shared/decisions/check-request"
import { formatCount } from "@/lib/shared/format"
import type { Outcome } from "@/lib/shared/playground/read-outcome"
import { writeShare } from "@/lib/shared/playground/share/share-link"
import { useRequestSide } from "../request/request-context"
import { useLatest } from "../request/use-latest"

/** Beyond this many characters some mail and chat programs cut a link. */
const LONG_LINK = 8_000

interface ShareDialogProps {
  /** The answers that are in sight; null when there are none. */
  answered: Outcome | null
  onClose: () => void
}

type Link = { state: "making" } | { state: "invalid" } | { state: "too_long" } | { state: "made"; href: string }

function useLink(answered: Outcome | null): Link {
  const { views } = useRequestSide()
  const [link, setLink] = useState<Link>({ state: "making" })
  const make = useLatest(async (): Promise<Link> => {
    const requestText = answered?.exchange.requestText ?? views.requestText()
    if (!checkRequest(new TextEncoder().encode(requestText)).ok) return { state: "invalid" }
    const fragment = await writeShare({ requestText, responseText: answered?.exchange.responseText ?? null })
    if (fragment === null) return { state: "too_long" }
    return { state: "made", href: `${window.location.origin}/share#${fragment}` }
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: another link is made for other answers alone
  useEffect(() => {
    let isGone = false
    make().then((made) => isGone || setLink(made))
    return () => {
      isGone = true
    }
  }, [answered, make])
  return link
}

/** Makes a link that holds the request, and the answers if wished. Nothing is sent anywhere. */
export function ShareDialog({ answered, onClose }: ShareDialogProps) {
  const [withAnswers, setWithAnswers] = useState(answered !== null)
  const link = useLink(withAnswers ? answered : null)
  return (
    <Dialog
      open
      onOpenChange={(open) => open || onClose()}
      title="Share this request"
      description="The link itself holds the request. It is never sent to this server or any other; whoever has the link can read it, without an account."
    >
      <Alert tone="warn" title="The state is included">
        Share it only with people who may read the state, the questions{withAnswers ? " and the answers" : ""}. A link
        cannot be taken back.
      </Alert>
      {answered ? (
        <Checkbox
          label="Include the answers"
          hint="Of the last run, with the request that it ran."
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
    return <Alert tone="danger">The request is not complete yet. Run it once to see what is missing.</Alert>
  if (link.state === "too_long")
    return (
      <Alert tone="danger" title="Too long for a link">
        The request does not fit into a link, even compressed. Shorten the state, or leave out the answers.
      </Alert>
    )
  const { href } = link
  return (
    <>
      <Field
        label="Link"
        hint={
          href.length > LONG_LINK
            ? `${formatCount(href.length)} characters: some mail and chat programs cut links that long.`
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
