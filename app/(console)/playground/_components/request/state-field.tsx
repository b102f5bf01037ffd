"use client"
import { FileUp, WandSparkles } from "lucide-react"
import { useFormContext, useWatch } from "react-hook-form"
import { Button } from "@/components/ui/button"
import { faultOfJson } from "@/lib/shared/playground/find-fault"
import { formatJson } from "@/lib/shared/playground/format-json"
import type { PlaygroundForm } from "@/lib/shared/playground/schema"
import { CodeEditor } from "./code-editor"
import { FileDrop } from "./file-drop"
import { useFieldError } from "./form-paths"
import { useRequestSide } from "./request-context"
import { Segments } from "./segments"
import { StateTokens } from "./state-tokens"

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
