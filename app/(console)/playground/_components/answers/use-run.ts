"use client"
import { useRef, useState } from "react"
import type { CheckedRequest } from "@/lib/decisions/check"
import type { ModelChoice } from "@/lib/playground/model-choice"
import { type Outcome, readOutcome } from "@/lib/playground/read-outcome"

export type Run =
  | { phase: "idle" }
  | { phase: "stopped" }
  | { phase: "unreachable" }
  /** The last answers stay in sight while the next are on their way. */
  | { phase: "running"; last: Outcome | null }
  | { phase: "done"; outcome: Outcome }

export interface RunInput {
  requestText: string
  request: CheckedRequest
  /** Empty: the account's Playground key. */
  keyId: string
}

async function send({ requestText, request, keyId }: RunInput, models: ModelChoice[], signal: AbortSignal) {
  const startedAt = performance.now()
  const response = await fetch("/playground/decisions", {
    method: "POST",
    headers: { "content-type": "application/json", ...(keyId ? { "x-svc-key-id": keyId } : {}) },
    body: requestText,
    signal,
  })
  const responseText = await response.text()
  const latencyMs = Math.round(performance.now() - startedAt)
  const { status, headers } = response
  return readOutcome({ requestText, request, status, headers: [...headers], responseText, latencyMs }, models)
}

/** Sends decisions one at a time; `stop` aborts the one under way, which is then not charged. */
export function useRun(models: ModelChoice[], onOutcome: (outcome: Outcome) => void) {
  const [run, setRun] = useState<Run>({ phase: "idle" })
  const underWay = useRef<AbortController | null>(null)

  const start = async (input: RunInput) => {
    if (underWay.current) return
    const controller = new AbortController()
    underWay.current = controller
    setRun((before) => ({ phase: "running", last: before.phase === "done" ? before.outcome : null }))
    try {
      const outcome = await send(input, models, controller.signal)
      setRun({ phase: "done", outcome })
      onOutcome(outcome)
    } catch {
      setRun({ phase: controller.signal.aborted ? "stopped" : "unreachable" })
    } finally {
      underWay.current = null
    }
  }

  return { run, start, stop: () => underWay.current?.abort() }
}
