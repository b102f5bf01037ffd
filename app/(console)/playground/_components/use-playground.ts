"use client"
import { useRouter } from "next/navigation"
import { useEffect, useRef, useState } from "react"
import type { KeyChoice, ModelChoice, RateLimits } from "@/lib/shared/playground/model-choice"
import { useRun } from "./answers/use-run"
import type { Pane } from "./pane-tabs"
import { useRequestForm } from "./request/use-request-form"

export interface PlaygroundProps {
  accountId: string
  /** Where the API is. */
  baseUrl: string
  /** Exact USD text. */
  balanceUsd: string
  rates: RateLimits
  models: ModelChoice[]
  keys: KeyChoice[]
}

/** The playground's state: the request, the run, and which side a phone shows. */
export function usePlayground({ accountId, models, keys }: PlaygroundProps) {
  const { form, side, said, ready, kept, leave, showField, showJson, fieldOf, takeRequest } = useRequestForm({
    accountId,
    models,
    keys,
  })
  const [pane, setPane] = useState<Pane>("request")
  const router = useRouter()

  const show = (field: string, message: string) => {
    // The model is chosen in the bar, which both panes have.
    if (field !== "model") setPane("request")
    showField(field, message)
  }
  const { run, start, stop } = useRun({ accountId, models, keys }, (outcome) => {
    // The frame shows the balance, which an answer has changed.
    if (outcome.kind === "answered") return router.refresh()
    const field = outcome.refusal.param ? fieldOf(outcome.refusal.param) : null
    if (field) show(field, outcome.refusal.message)
  })
  const submit = () => {
    if (!ready) return
    const taken = takeRequest()
    setPane(taken ? "answers" : "request")
    if (taken) void start(taken)
  }
  useRunKeys(submit)
  return { form, side, said, ready, kept, pane, setPane, leave, showField: show, showJson, fieldOf, run, submit, stop }
}

/** Ctrl or ⌘ with Enter runs, wherever the focus is. */
function useRunKeys(submit: () => void) {
  const latest = useRef(submit)
  useEffect(() => {
    latest.current = submit
  })
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key !== "Enter" || !(event.metaKey || event.ctrlKey) || event.repeat) return
      event.preventDefault()
      latest.current()
    }
    document.addEventListener("keydown", onKeyDown)
    return () => document.removeEventListener("keydown", onKeyDown)
  }, [])
}
