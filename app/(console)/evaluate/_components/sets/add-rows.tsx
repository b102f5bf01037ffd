"use client"
import { FileUp, Sparkles } from "lucide-react"
import { useState } from "react"
import { afterPress } from "@/components/timing/after-paint"
import { Alert } from "@/components/ui/alert"
import { Button } from "@/components/ui/button"
import { Field } from "@/components/ui/field"
import { Progress } from "@/components/ui/progress"
import { Textarea } from "@/components/ui/textarea"
import { useFileDrop } from "@/components/use-file-drop"
import { CSV_ESCAPES } from "@/lib/shared/csv"
import { ROW_FILES } from "../../rows/row-files"
import type { Adding } from "./use-add-set"

interface AddRowsProps {
  adding: Adding
  /** Whether the rows that are read are those of the sample. */
  isSample: boolean
  onFile: (file: File) => void
  onText: (text: string) => void
  onSample: () => void
}

/** Lets the user open a file, drop it, paste rows or take the sample. */
export function AddRows({ adding, isSample, onFile, onText, onSample }: AddRowsProps) {
  const { isOver, choose, target, input } = useFileDrop("Rows from a file", ROW_FILES, onFile)
  const isReading = adding.phase === "reading"
  return (
    <section aria-label="Add rows" className="flex flex-col gap-4">
      <div
        {...target}
        className={`flex flex-col items-start gap-3 rounded-lg border border-dashed px-5 py-6 ${isOver ? "border-accent bg-accent-soft" : "border-line-strong"}`}
      >
        <h2 className="font-semibold text-lg">Open rows with known answers</h2>
        <p className="max-w-text text-ink-muted">
          A CSV file, a file with one JSON object per line, or a JSON array. Up to 20,000 rows and 50 MiB. The rows and
          results stay in this browser. The server sees ordinary, billed requests. In CSV files that the service wrote,{" "}
          {CSV_ESCAPES}. Opening them removes it.
        </p>
        <div className="flex flex-wrap gap-2">
          <Button onClick={choose} pending={isReading && !isSample} pendingLabel="Reading…" disabled={isSample}>
            <FileUp aria-hidden className="size-4" />
            Open file
          </Button>
          <Button
            variant="secondary"
            onClick={(event) => afterPress(event, onSample)}
            pending={isSample}
            pendingLabel="Reading…"
            disabled={isReading && !isSample}
          >
            <Sparkles aria-hidden className="size-4" />
            Use the sample
          </Button>
        </div>
        {input}
      </div>
      <p role="status" className="sr-only">
        {isReading ? `Reading ${adding.name}` : ""}
      </p>
      {isReading ? <ReadingBar share={adding.share} name={adding.name} /> : null}
      {adding.phase === "refused" ? (
        <Alert
          tone="danger"
          role="alert"
          title={`${adding.name} was not opened`}
          action={
            adding.openSample ? (
              <Button variant="secondary" size="sm" onClick={adding.openSample}>
                Open a random sample
              </Button>
            ) : null
          }
        >
          {adding.message}
        </Alert>
      ) : null}
      <PasteRows onText={onText} isReading={isReading} />
    </section>
  )
}

function ReadingBar({ share, name }: { share: number; name: string }) {
  return (
    <div className="flex flex-col gap-1 text-ink-muted text-sm">
      <span aria-hidden>Reading {name}…</span>
      <Progress label={`Reading ${name}`} value={share} max={1} />
    </div>
  )
}

function PasteRows({ onText, isReading }: { onText: (text: string) => void; isReading: boolean }) {
  const [text, setText] = useState("")
  return (
    <details>
      <summary className="w-fit text-accent underline pointer-coarse:py-3">Paste rows</summary>
      <form
        className="mt-3 flex flex-col items-start gap-3"
        onSubmit={(event) => {
          event.preventDefault()
          if (text.trim() !== "") onText(text)
        }}
      >
        <Field label="Rows" hint="Cells of a spreadsheet with their header, CSV, or JSON." className="w-full">
          <Textarea mono rows={6} value={text} onChange={({ target }) => setText(target.value)} />
        </Field>
        <Button type="submit" variant="secondary" disabled={isReading || text.trim() === ""}>
          Use these rows
        </Button>
      </form>
    </details>
  )
}
