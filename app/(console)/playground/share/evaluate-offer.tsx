"use client"
import { type ReactNode, useEffect, useMemo, useRef } from "react"
import { Alert } from "@/components/ui/alert"
import { Button } from "@/components/ui/button"
import { afterFrame } from "@/components/ui/focus-field"
import { useHandover } from "@/components/use-handover"
import { leaveForEvaluate } from "@/lib/shared/evaluate/handover"
import type { RobustnessCheck } from "@/lib/shared/evaluate/run/evaluation-run"
import { readForm } from "@/lib/shared/request-form/read-form"
import type { RequestForm } from "@/lib/shared/request-form/request-form"
import { useAccount, usePlayground, usePlaygroundStore } from "../model/playground-store"

interface Left {
  /** By default, the playground's request. */
  form?: RequestForm
  file?: File | null
  robustness?: RobustnessCheck["kind"] | null
}

/** Returns a function that opens the evaluate page with a request, and what to show when the browser cannot store that. */
function useEvaluate(): { evaluate: (left?: Left) => void; refusal: ReactNode } {
  const { accountId } = useAccount()
  const { getState } = usePlaygroundStore()
  const { open, refusal } = useHandover("/evaluate", "the request")
  const evaluate = ({ form = getState().request.form, file = null, robustness = null }: Left = {}) =>
    open(() => leaveForEvaluate(accountId, { form, file, robustness }))
  return { evaluate, refusal }
}

/**
 * Offers to check the answer to the request that was sent, which may have been edited since. The evaluate page shows the price
 * before anything is sent. Renders nothing when the form cannot show the request.
 */
export function RobustnessButtons({ sentText }: { sentText: string }) {
  const { evaluate, refusal } = useEvaluate()
  const keyId = usePlayground(({ request }) => request.form.keyId)
  const sent = useMemo(() => readForm(sentText, keyId), [sentText, keyId])
  if (!sent.ok) return null
  const { form } = sent
  return (
    <section aria-label="Check this answer" className="flex flex-wrap items-center gap-2">
      <Button variant="secondary" size="sm" onClick={() => evaluate({ form, robustness: "stability" })}>
        Is the answer stable?
      </Button>
      <Button variant="secondary" size="sm" onClick={() => evaluate({ form, robustness: "ablation" })}>
        What moves the answer?
      </Button>
      {refusal}
    </section>
  )
}

export function EvaluateButton() {
  const { evaluate, refusal } = useEvaluate()
  return (
    <span className="flex flex-col items-end gap-2">
      <Button
        variant="secondary"
        size="sm"
        title="Ask these questions about rows whose answers you know"
        onClick={() => evaluate()}
      >
        Evaluate this
      </Button>
      {refusal}
    </span>
  )
}

/** Returns whether a file holds rows rather than one state, as far as its name says. */
export const looksLikeRows = ({ name }: File): boolean => /\.(csv|tsv|tab|jsonl|ndjson)$/i.test(name)

interface EvaluateOfferProps {
  file: File
  onUseAsState: () => void
  onCancel: () => void
}

/** Asks what to do with a file of rows. It comes below the state, which on a phone is below the first screen. */
export function EvaluateOffer({ file, onUseAsState, onCancel }: EvaluateOfferProps) {
  const { evaluate, refusal } = useEvaluate()
  const offer = useRef<HTMLDivElement>(null)
  useEffect(() => afterFrame(() => offer.current?.scrollIntoView({ block: "nearest" })), [])
  return (
    <Alert
      ref={offer}
      role="status"
      title={`${file.name} holds rows`}
      className="mt-2"
      action={
        <span className="flex flex-wrap gap-2">
          <Button size="sm" onClick={() => evaluate({ file })}>
            Evaluate the rows
          </Button>
          <Button variant="secondary" size="sm" onClick={onUseAsState}>
            Use as one state
          </Button>
          <Button variant="quiet" size="sm" onClick={onCancel}>
            Cancel
          </Button>
        </span>
      }
    >
      Evaluate asks your questions about each row and compares the answers with the labels.
      {refusal}
    </Alert>
  )
}
