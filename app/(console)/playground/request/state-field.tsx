"use client"
import { FileUp, WandSparkles } from "lucide-react"
import { type ReactNode, useMemo, useState } from "react"
import { Button } from "@/components/ui/button"
import { Segments } from "@/components/ui/segments"
import { useFileDrop } from "@/components/use-file-drop"
import type { TextOrJson } from "@/lib/shared/json-source/text-or-json"
import { faultOfJson } from "@/lib/shared/request-form/find-fault"
import { useDispatch, usePlayground } from "../model/playground-store"
import { EvaluateOffer, looksLikeRows } from "../share/evaluate-offer"
import { CodeEditor } from "./code-editor"
import { StateTokens } from "./cost-panel"

const KINDS = [
  { value: "text", label: "Text" },
  { value: "json", label: "JSON" },
] as const

/** The largest request body, 28 MiB (spec.md, "Request limits"). */
const MAX_FILE_BYTES = 29_360_128

export function StateField() {
  const dispatch = useDispatch()
  const { kind, text } = usePlayground(({ request }) => request.form.state)
  const error = usePlayground(({ request }) => request.errors["state.text"])
  const isJson = kind === "json"
  const isEmpty = text.trim() === ""
  const faults = useMemo(() => {
    const fault = isJson && !isEmpty ? faultOfJson(text, "The state") : null
    return fault ? [fault] : []
  }, [isJson, isEmpty, text])
  return (
    <FileDrop>
      {(openFile) => (
        <section aria-label="State" className="flex flex-col gap-2">
          <div className="flex flex-wrap items-center gap-2">
            <h2 className="mr-auto font-medium">State</h2>
            {isJson ? (
              <Button
                variant="quiet"
                size="sm"
                onClick={() => dispatch({ type: "state_formatted" })}
                disabled={faults.length > 0 || isEmpty}
              >
                <WandSparkles aria-hidden className="size-4" />
                Format
              </Button>
            ) : null}
            <Button
              variant="quiet"
              size="sm"
              onClick={openFile}
              title="You can also drop a text, JSON or CSV file on the state."
            >
              <FileUp aria-hidden className="size-4" />
              Open file
            </Button>
            <Segments
              legend="State format"
              options={KINDS}
              value={kind}
              onValue={(next) => dispatch({ type: "state_kind_chosen", kind: next })}
            />
          </div>
          <CodeEditor
            field="state.text"
            label="State"
            hint={isJson ? "An object, array or string. It is sent unchanged." : undefined}
            error={error}
            faults={faults}
            value={text}
            isJson={isJson}
            onText={(next) => dispatch({ type: "state_edited", text: next })}
            onLeave={() => dispatch({ type: "field_left", field: "state.text" })}
          />
          <StateTokens />
        </section>
      )}
    </FileDrop>
  )
}

/** Reads a file as the state: as JSON when its name or type says so and its content is valid, else as text. */
async function readFile(file: File): Promise<{ state: TextOrJson } | { error: string }> {
  if (file.size > MAX_FILE_BYTES) return { error: "The file is larger than the request limit of 28 MiB." }
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(await file.arrayBuffer())
    const isJson = /\.json$/i.test(file.name) || file.type === "application/json"
    return { state: { kind: isJson && faultOfJson(text) === null ? "json" : "text", text } }
  } catch {
    return { error: "The file could not be read as UTF-8 text. Save it as UTF-8 and open it again." }
  }
}

const ACCEPTED = ".txt,.json,.csv,.tsv,.jsonl,.ndjson,text/plain,text/csv,application/json"

function FileDrop({ children }: { children: (openFile: () => void) => ReactNode }) {
  const dispatch = useDispatch()
  const [error, setError] = useState<string | null>(null)
  const [rowsFile, setRowsFile] = useState<File | null>(null)
  const { isOver, choose, target, input } = useFileDrop("State from a file", ACCEPTED, (file) => {
    setError(null)
    if (looksLikeRows(file)) setRowsFile(file)
    else void readAsState(file)
  })
  const readAsState = async (file: File) => {
    setRowsFile(null)
    const read = await readFile(file)
    setError("error" in read ? read.error : null)
    if ("state" in read) dispatch({ type: "state_file_read", state: read.state })
  }
  return (
    <div
      {...target}
      className={isOver ? "rounded-md outline-2 outline-accent outline-dashed outline-offset-4" : undefined}
    >
      {input}
      {children(choose)}
      {rowsFile ? (
        <EvaluateOffer
          file={rowsFile}
          onUseAsState={() => void readAsState(rowsFile)}
          onCancel={() => setRowsFile(null)}
        />
      ) : null}
      {error ? (
        <p role="alert" className="mt-1 font-medium text-danger text-sm">
          {error}
        </p>
      ) : null}
    </div>
  )
}
