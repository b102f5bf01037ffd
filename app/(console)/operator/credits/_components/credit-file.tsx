"use client"
import { FileUp } from "lucide-react"
import { useState } from "react"
import { type ActionError, callAction } from "@/components/form/call-action"
import { Alert } from "@/components/ui/alert"
import { Button } from "@/components/ui/button"
import { Section } from "@/components/ui/section"
import { useFileDrop } from "@/components/use-file-drop"
import { BadFile } from "@/lib/shared/evaluate/rows/bad-file"
import { countOf, formatExactUsd } from "@/lib/shared/format"
import { ConfirmOrError } from "../../../_components/confirm/confirm-or-error"
import { creditAccountsAction } from "../actions"

interface Credits {
  lines: Parameters<typeof creditAccountsAction>[0]["lines"]
  totalUsd: string
}

type State =
  | { kind: "idle" | "reading" }
  /** The error asks for a confirmation, after which the same file can be sent again. */
  | ({ kind: "read"; error?: ActionError } & Credits)
  | ({ kind: "sending" } & Credits)
  | { kind: "credited"; text: string }
  | { kind: "failed"; error: ActionError }

/** Reads a file in the browser. The code for that is loaded with the first file. */
async function read(file: File): Promise<State> {
  try {
    const { readCreditsForm } = await import("@/lib/shared/operator/credits-file")
    return { kind: "read", ...(await readCreditsForm(file)) }
  } catch (error) {
    const message = error instanceof BadFile ? error.message : "The file could not be read. Choose it again."
    return { kind: "failed", error: { code: "bad_file", message } }
  }
}

async function send({ lines, totalUsd }: Credits): Promise<State> {
  const result = await callAction(creditAccountsAction, { lines })
  if (!result.ok && result.error.code === "confirmation_required")
    return { kind: "read", lines, totalUsd, error: result.error }
  if (!result.ok) return { kind: "failed", error: result.error }
  const { credited, creditedUsd, repeated } = result.data
  const again = repeated > 0 ? ` ${countOf(repeated, "line")} had been credited before.` : ""
  return { kind: "credited", text: `Credited ${formatExactUsd(creditedUsd)} by ${countOf(credited, "line")}.${again}` }
}

/** Takes credits from a CSV file, shows their sum, and credits them together. */
export function CreditFile() {
  const [state, setState] = useState<State>({ kind: "idle" })
  const onFile = async (file: File) => {
    // A file that is dropped meanwhile would be replaced by the result.
    if (state.kind === "sending") return
    setState({ kind: "reading" })
    setState(await read(file))
  }
  const { choose, target, input } = useFileDrop("Credits from a file", ".csv,.tsv", (file) => void onFile(file))
  const isSending = state.kind === "sending"
  const file = state.kind === "read" || state.kind === "sending" ? state : null
  const submitLabel = `Credit ${countOf(file?.lines.length ?? 0, "line")}`
  const credit = async () => {
    if (state.kind !== "read") return
    const { lines, totalUsd } = state
    setState({ kind: "sending", lines, totalUsd })
    setState(await send({ lines, totalUsd }))
  }
  const error = state.kind === "failed" || state.kind === "read" ? (state.error ?? null) : null
  return (
    <Section id="file" title="Credit a file">
      <div {...target} className="flex flex-col items-start gap-3">
        <Button
          variant={file ? "secondary" : "primary"}
          onClick={choose}
          disabled={isSending}
          pending={state.kind === "reading"}
          pendingLabel="Reading the file…"
        >
          <FileUp aria-hidden className="size-4" />
          Choose file
        </Button>
        {input}
        {file ? (
          <>
            <p role="status">
              The file credits {formatExactUsd(file.totalUsd)} by {countOf(file.lines.length, "line")}. Nothing is
              credited yet.
            </p>
            <Button onClick={credit} pending={isSending} pendingLabel="Crediting…">
              {submitLabel}
            </Button>
          </>
        ) : null}
        <ConfirmOrError error={error} submitLabel={submitLabel} />
        {state.kind === "credited" ? (
          <Alert tone="ok" role="status">
            {state.text}
          </Alert>
        ) : null}
      </div>
    </Section>
  )
}
