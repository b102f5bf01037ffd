"use client"
import { FileUp } from "lucide-react"
import { useState } from "react"
import type { ActionError } from "@/components/form/call-action"
import { FormError } from "@/components/form/form-error"
import { Alert } from "@/components/ui/alert"
import { Button } from "@/components/ui/button"
import { Field } from "@/components/ui/field"
import { Input } from "@/components/ui/input"
import { Section } from "@/components/ui/section"
import { TextLink } from "@/components/ui/text-link"
import { useFileDrop } from "@/components/use-file-drop"
import { BadFile } from "@/lib/shared/evaluate/rows/bad-file"
import { countOf, formatCount } from "@/lib/shared/format"
import { uploadOutcomesAction } from "../actions"

type State = { kind: "idle" } | { kind: "sending"; sent: number } | { kind: "sent"; sent: number } | Failed
interface Failed {
  kind: "failed"
  error: ActionError
}

const badFile = (message: string): Failed => ({ kind: "failed", error: { code: "bad_file", message } })

/** Returns the share that a percentage states: undefined for an empty field, and null for what is no percentage. */
function shareOf(percent: string): number | null | undefined {
  if (percent.trim() === "") return undefined
  const share = Number(percent) / 100
  return share > 0 && share <= 1 ? share : null
}

/** Reads a file in the browser, and sends its outcomes. The code for that is loaded with the first file. */
async function upload(file: File, percent: string, onSent: (sent: number) => void): Promise<State> {
  const share = shareOf(percent)
  if (share === null) return badFile("The share is not above 0 and at most 100. Correct it, or leave the field empty.")
  try {
    const [{ readOutcomesFile }, { sendOutcomes }] = await Promise.all([
      import("@/lib/shared/outcomes/outcomes-file"),
      import("./send-outcomes"),
    ])
    const outcomes = await readOutcomesFile(file)
    const error = await sendOutcomes(outcomes, share, uploadOutcomesAction, onSent)
    return error ? { kind: "failed", error } : { kind: "sent", sent: outcomes.length }
  } catch (error) {
    return badFile(error instanceof BadFile ? error.message : "The file could not be read. Choose it again.")
  }
}

/** Takes outcomes from a CSV file. */
export function Upload() {
  const [state, setState] = useState<State>({ kind: "idle" })
  const [percent, setPercent] = useState("")
  const onFile = async (file: File) => {
    setState({ kind: "sending", sent: 0 })
    setState(await upload(file, percent, (sent) => setState({ kind: "sending", sent })))
  }
  const { choose, target, input } = useFileDrop("Outcomes from a file", ".csv,.tsv", (file) => void onFile(file))
  return (
    <Section
      id="upload"
      title="Upload outcomes"
      hint={
        <>
          A CSV file with one outcome in each line, as numbers. Your browser refuses other columns before it sends
          anything. <TextLink href="/docs/outcomes#upload-a-file">Columns of the file</TextLink>
        </>
      }
    >
      <div {...target} className="flex flex-col items-start gap-3">
        <div className="flex flex-wrap items-end gap-3">
          <Field label="Random share reviewed, in %" hint="Only if you review a random share of all answers.">
            <Input
              inputMode="decimal"
              value={percent}
              onChange={({ target: { value } }) => setPercent(value)}
              className="max-w-28"
            />
          </Field>
          <Button
            variant="secondary"
            onClick={choose}
            pending={state.kind === "sending"}
            pendingLabel={
              state.kind === "sending" && state.sent > 0 ? `Sent ${formatCount(state.sent)}…` : "Reading the file…"
            }
          >
            <FileUp aria-hidden className="size-4" />
            Choose file
          </Button>
        </div>
        {input}
        <FormError error={state.kind === "failed" ? state.error : null} />
        {state.kind === "sent" ? (
          <Alert tone="ok" role="status">
            Stored {countOf(state.sent, "outcome")} of the file.
          </Alert>
        ) : null}
      </div>
    </Section>
  )
}
