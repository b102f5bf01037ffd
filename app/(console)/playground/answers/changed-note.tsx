"use client"
import { useMemo } from "react"
import { readForm } from "@/lib/shared/request-form/read-form"
import { writeRequest } from "@/lib/shared/request-form/write-request"
import { usePlayground, usePlaygroundStore } from "../model/playground-store"
import type { RequestState } from "../model/request-state"

/** Returns a request's text as the form would write it, or unchanged when the form cannot show it. */
export function asFormWrites(text: string): string {
  const read = readForm(text, "")
  return read.ok ? writeRequest(read.form) : text
}

/**
 * Returns whether the request is another one than a text that was sent, as of the last pause in typing. White space does not count:
 * `sent` comes from `asFormWrites`.
 */
export const isChangedSince = ({ json, form }: RequestState, sent: string): boolean =>
  (json?.isReadable === false ? json.text : writeRequest(form)) !== sent

/** Says that the request was changed after it was sent. It renders alone after each pause in typing, without the charts. */
export function ChangedNote({ sentText }: { sentText: string }) {
  const { getState } = usePlaygroundStore()
  const sent = useMemo(() => asFormWrites(sentText), [sentText])
  const revision = usePlayground(({ request }) => request.settledRevision)
  // biome-ignore lint/correctness/useExhaustiveDependencies: compares after every pause in typing
  const isChanged = useMemo(() => isChangedSince(getState().request, sent), [getState, revision, sent])
  if (!isChanged) return null
  return (
    <>
      <span className="text-warn">request changed since</span> ·{" "}
    </>
  )
}
