"use client"
import { FileUp, WandSparkles } from "lucide-react"
import { type DragEvent, useRef, useState } from "react"
import { useFormContext, useWatch } from "react-hook-form"
import { Button } from "@/components/ui/button"
import { faultOfJson } from "@/lib/playground/find-fault"
import { formatJson } from "@/lib/playground/format-json"
import { readFile } from "@/lib/playground/read-file"
import type { PlaygroundForm } from "@/lib/playground/schema"
import { CodeEditor } from "./code-editor"
import { useFieldError } from "./form-paths"
import { useRequestSide } from "./request-context"
import { Segments } from "./segments"
import { StateTokens } from "./state-tokens"
import { useRemember } from "./use-remember"

const KINDS = [
  { value: "text", label: "Text" },
  { value: "json", label: "JSON" },
] as const

/** What the questions are about, as a text or as any JSON value that the API takes. */
export function StateField({ onLeave }: { onLeave: (field: string) => void }) {
  const { setValue } = useFormContext<PlaygroundForm>()
  const { kind, text } = useWatch<PlaygroundForm, "state">({ name: "state" })
  const error = useFieldError("state.text")
  const { announce } = useRequestSide()
  const isJson = kind === "json"
  const fault = isJson && text.trim() !== "" ? faultOfJson(text, "The state") : null
  const format = () => {
    setValue("state.text", formatJson(text))
    announce("Formatted")
  }
  return (
    <FileDrop>
      {(openFile) => (
        <section aria-label="State" className="flex flex-col gap-2">
          <div className="flex flex-wrap items-center gap-2">
            <h2 className="mr-auto font-medium">State</h2>
            {isJson ? (
              <Button variant="quiet" size="sm" onClick={format} disabled={fault !== null || text.trim() === ""}>
                <WandSparkles aria-hidden className="size-4" />
                Format
              </Button>
            ) : null}
            <Button variant="quiet" size="sm" onClick={openFile} title="Or drop a .txt or .json file on the state">
              <FileUp aria-hidden className="size-4" />
              Open file
            </Button>
            <Segments legend="State as" options={KINDS} value={kind} onValue={(next) => setValue("state.kind", next)} />
          </div>
          <CodeEditor
            field="state.text"
            label="State"
            hint={isJson ? "An object, an array or a string, sent as it stands." : undefined}
            error={error}
            fault={fault}
            value={text}
            isJson={isJson}
            onText={(next) => setValue("state.text", next)}
            onLeave={() => onLeave("state.text")}
          />
          <StateTokens />
        </section>
      )}
    </FileDrop>
  )
}

/** Takes a file that is dropped or chosen as the state. */
function FileDrop({ children }: { children: (openFile: () => void) => React.ReactNode }) {
  const { setValue } = useFormContext<PlaygroundForm>()
  const remember = useRemember()
  const input = useRef<HTMLInputElement>(null)
  const [isOver, setOver] = useState(false)
  const [refused, setRefused] = useState<string | null>(null)
  const take = async (file: File | undefined) => {
    if (!file) return
    const read = await readFile(file)
    setRefused(read.ok ? null : read.message)
    if (!read.ok) return
    remember("Replaced the state by the file")
    setValue("state", read.words)
  }
  const hasFile = ({ dataTransfer }: DragEvent) => [...dataTransfer.types].includes("Files")
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dropping is a second way beside the button
    <div
      className={isOver ? "rounded-md outline-2 outline-accent outline-dashed outline-offset-4" : undefined}
      onDragOver={(event) => {
        if (!hasFile(event)) return
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDropCapture={(event) => {
        setOver(false)
        if (!hasFile(event)) return
        event.preventDefault()
        event.stopPropagation()
        void take(event.dataTransfer.files[0])
      }}
    >
      <input
        ref={input}
        type="file"
        hidden
        accept=".txt,.json,text/plain,application/json"
        aria-label="State from a file"
        onChange={(event) => {
          void take(event.target.files?.[0])
          event.target.value = ""
        }}
      />
      {children(() => input.current?.click())}
      {refused ? (
        <p role="alert" className="mt-1 font-medium text-danger text-sm">
          {refused}
        </p>
      ) : null}
    </div>
  )
}
