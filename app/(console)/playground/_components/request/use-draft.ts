"use client"
import { useEffect, useState } from "react"
import type { UseFormReturn } from "react-hook-form"
import { type Draft, readDraft, writeDraft } from "@/lib/shared/playground/draft"
import type { PlaygroundForm } from "@/lib/shared/playground/schema"
import type { Settled } from "./settled"
import { useLatest } from "./use-latest"
import type { Views } from "./use-views"

interface DraftInput {
  form: UseFormReturn<PlaygroundForm>
  views: Views
  settled: Settled
  accountId: string
  /** Puts right what a draft names and the account no longer has. */
  mend: (form: PlaygroundForm) => PlaygroundForm
}

/**
 * Keeps what is typed in this browser, per account, and brings it back. `ready` once it is back; `kept` is false when the
 * browser has no room for it.
 */
export function useDraft({ form, views, settled, accountId, mend }: DraftInput): { ready: boolean; kept: boolean } {
  const [ready, setReady] = useState(false)
  const [kept, setKept] = useState(true)
  const bringBack = useLatest((draft: Draft) => {
    form.reset(mend(draft.form))
    if (draft.json !== null) views.showJson(draft.json)
  })
  const save = useLatest(() => {
    const json = views.view === "json" ? views.requestText() : null
    setKept(writeDraft(accountId, { form: form.getValues(), json }))
  })
  useEffect(() => {
    const draft = readDraft(accountId)
    if (draft) bringBack(draft)
    setReady(true)
    const unsubscribe = [
      settled.subscribe(save),
      form.subscribe({ formState: { values: true }, callback: settled.touch }),
    ]
    window.addEventListener("pagehide", settled.flush)
    return () => {
      settled.flush()
      for (const stop of unsubscribe) stop()
      window.removeEventListener("pagehide", settled.flush)
    }
  }, [form, settled, accountId, bringBack, save])
  return { ready, kept }
}
