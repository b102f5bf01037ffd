"use client"
import { useRef, useState } from "react"
import type { CheckedRequest } from "@/lib/shared/decisions/check-request"
import type { KeyChoice, ModelChoice } from "@/lib/shared/playground/model-choice"
import { type Outcome, readOutcome } from "@/lib/shared/playground/read-outcome"
import { announceAnswerRead } from "../../../_components/first-steps/first-steps"

export type Run =
  | { phase: "idle" }
  | { phase: "stopped" }
  /** Nothing came back, so that nobody knows whether it was answered. */
  | { phase: "failed"; why: "offline" | "unreachable" | "timeout" }
  /** The last answers stay in sight while the next are on their way. */
  | { phase: "running"; last: Outcome | null }
  | { phase: "done"; outcome: Outcome }

export interface RunInput {
  requestText: string
  request: CheckedRequest
  /** Empty: the account's Playground key. */
  keyId: string
}

interface RunContext {
  accountId: string
  models: ModelChoice[]
  keys: KeyChoice[]
}

/** What spec.md advises clients to wait. */
const TIMEOUT_MS = 130_000

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

/** Keeps what came back among the last runs of this browser; without room for it the run is shown all the same. */
async function keep(outcome: Outcome, { accountId, keys }: RunContext, keyId: string): Promise<void> {
  const [{ keptRun }, { keepRun }] = await Promise.all([
    import("@/lib/shared/playground/runs/kept-run"),
    import("@/lib/shared/playground/runs/run-store"),
  ])
  const spentAs = keys.find(({ id }) => id === keyId)?.name ?? "Playground"
  await keepRun(keptRun(outcome.exchange, accountId, spentAs))
}

/** Sends decisions one at a time; `stop` aborts the one under way, which is then not charged. */
export function useRun(context: RunContext, onOutcome: (outcome: Outcome) => void) {
  const [run, setRun] = useState<Run>({ phase: "idle" })
  const underWay = useRef<AbortController | null>(null)

  const start = async (input: RunInput) => {
    if (underWay.current) return
    const controller = new AbortController()
    underWay.current = controller
    const timer = setTimeout(() => controller.abort("timeout"), TIMEOUT_MS)
    setRun((before) => ({ phase: "running", last: before.phase === "done" ? before.outcome : null }))
    try {
      const outcome = await send(input, context.models, controller.signal)
      setRun({ phase: "done", outcome })
      keep(outcome, context, input.keyId).catch(() => undefined)
      if (outcome.exchange.status === 200) announceAnswerRead()
      onOutcome(outcome)
    } catch {
      const { aborted, reason } = controller.signal
      if (aborted && reason !== "timeout") setRun({ phase: "stopped" })
      else setRun({ phase: "failed", why: aborted ? "timeout" : navigator.onLine ? "unreachable" : "offline" })
    } finally {
      clearTimeout(timer)
      underWay.current = null
    }
  }

  return { run, start, stop: () => underWay.current?.abort() }
}
