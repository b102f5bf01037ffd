"use client"
import { useRouter } from "next/navigation"
import { useRef } from "react"
import { focusField } from "@/components/ui/focus-field"
import { checkRequest } from "@/lib/shared/decisions/check-request"
import { labelKeys } from "@/lib/shared/keys/label-keys"
import { checkForm } from "@/lib/shared/request-form/check-form"
import { faultsOfRequest } from "@/lib/shared/request-form/find-fault"
import { limitsOf, type RunAccount } from "@/lib/shared/runs/model-choice"
import type { Outcome } from "@/lib/shared/runs/read-outcome"
import { type DecisionInput, sendDecision } from "@/lib/shared/runs/send-decision"
import type { ShapeLimits } from "@/questions/limits"
import { announceAnswerRead } from "../../_components/first-steps/first-steps"
import { rememberAnswer } from "./last-answer"
import { useAccount, usePlaygroundStore } from "./playground-store"
import { fieldForParam, type RequestAction, type RequestState } from "./request-state"

/** spec.md advises clients to wait this long. */
const TIMEOUT_MS = 130_000

type RequestToRun =
  | { ok: true; input: DecisionInput }
  /** `field` receives the focus. */
  | { ok: false; field: string; action: RequestAction }

function requestToRun({ form, json }: RequestState, limits: ShapeLimits): RequestToRun {
  const { keyId } = form
  if (!json) {
    const checked = checkForm(form, limits)
    if (checked.ok) return { ok: true, input: { ...checked, keyId } }
    const { errors } = checked
    return { ok: false, field: errors[0].field, action: { type: "errors_found", errors } }
  }
  const checked = checkRequest(new TextEncoder().encode(json.text))
  if (checked.ok && faultsOfRequest(json.text, limits).length === 0)
    return { ok: true, input: { requestText: json.text, request: checked.request, keyId } }
  return { ok: false, field: "json", action: { type: "json_faults_searched", limits } }
}

/** Loads while the request is answered, so that its run is stored at once. */
const loadHistory = () => import("./run-history")

async function keep(outcome: Outcome, { accountId, keys }: RunAccount, keyId: string): Promise<void> {
  const { keepRun, storedRun } = await loadHistory()
  const keyName = labelKeys(keys).get(keyId) ?? "Playground"
  const run = storedRun(outcome.exchange, accountId, keyName)
  await keepRun(run)
  if (outcome.kind === "answered") rememberAnswer(accountId, run.id)
}

/** Runs one request at a time. A request stopped before its answer is not charged. */
export function useRun(): { run: () => void; stop: () => void } {
  const account = useAccount()
  const { dispatch, getState } = usePlaygroundStore()
  const router = useRouter()
  const pending = useRef<AbortController | null>(null)

  const finish = (outcome: Outcome, keyId: string) => {
    // The run stays visible even when the browser cannot store it.
    keep(outcome, account, keyId).then(
      () => dispatch({ type: "run_stored" }),
      () => undefined,
    )
    dispatch({ type: "run_finished", outcome })
    if (outcome.kind === "refused") {
      const { param } = outcome.refusal
      const field = param === undefined ? null : fieldForParam(getState().request, param)
      if (field) focusField(field)
      return
    }
    announceAnswerRead()
    // The header shows the balance, which the run changed.
    router.refresh()
  }

  const send = async (input: DecisionInput) => {
    if (pending.current) return
    const controller = new AbortController()
    pending.current = controller
    const timer = setTimeout(() => controller.abort("timeout"), TIMEOUT_MS)
    dispatch({ type: "run_started" })
    loadHistory().catch(() => undefined)
    try {
      finish(await sendDecision(input, account.models, controller.signal), input.keyId)
    } catch {
      const { aborted, reason } = controller.signal
      if (aborted && reason !== "timeout") dispatch({ type: "run_stopped" })
      else if (aborted) dispatch({ type: "run_failed", reason: "timeout" })
      else dispatch({ type: "run_failed", reason: navigator.onLine ? "unreachable" : "offline" })
    } finally {
      clearTimeout(timer)
      pending.current = null
    }
  }

  const run = () => {
    if (!getState().isReady) return
    const limits = limitsOf(account.models, getState().request.form.model)
    dispatch({ type: "typing_paused", limits })
    const taken = requestToRun(getState().request, limits)
    if (taken.ok) return void send(taken.input)
    dispatch(taken.action)
    focusField(taken.field)
  }
  return { run, stop: () => pending.current?.abort() }
}
