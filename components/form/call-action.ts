"use client"
import { useState } from "react"

/** The result of a server action, as `userAction` and `operatorAction` return it. */
export type ActionResult<Data> = { ok: true; data: Data } | { ok: false; error: ActionError }

export interface ActionError {
  code: string
  message: string
  param?: string
  requestId?: string
  /** Messages by field path, such as `limit.amountUsd`. Each is shown beside its field. */
  fields?: Record<string, string>
}

const UNREACHABLE: ActionError = {
  code: "unreachable",
  message: "The server is unreachable. Check your connection and try again. If it fails again, reload the page.",
}

/** Calls a server action, and returns the error `unreachable` when no response arrives. */
export const callAction = <Input, Data>(
  action: (input: Input) => Promise<ActionResult<Data>>,
  input: Input,
): Promise<ActionResult<Data>> => action(input).catch(() => ({ ok: false, error: UNREACHABLE }))

/** Opens another site. Never settles, so that the button stays pending until the browser leaves. */
export function leaveFor(url: string): Promise<never> {
  window.location.assign(url)
  return new Promise(() => undefined)
}

/** Manages a button that calls a server action with an input that nobody typed. It is pending until `onDone` settles. */
export function useAction<Input, Data>(
  action: (input: Input) => Promise<ActionResult<Data>>,
  onDone?: (data: Data) => unknown,
) {
  const [error, setError] = useState<ActionError | null>(null)
  const [pending, setPending] = useState(false)
  const run = async (input: Input) => {
    setPending(true)
    const result = await callAction(action, input)
    setError(result.ok ? null : result.error)
    if (result.ok) await onDone?.(result.data)
    setPending(false)
  }
  return { run, error, pending }
}
