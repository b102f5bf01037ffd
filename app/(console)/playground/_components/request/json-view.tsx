"use client"
import { WandSparkles } from "lucide-react"
import { Button } from "@/components/ui/button"
import { faultOfJson } from "@/lib/shared/playground/find-fault"
import { formatJson } from "@/lib/shared/playground/format-json"
import { CodeEditor } from "./code-editor"
import { useRequestSide } from "./request-context"
import { StateTokens } from "./state-tokens"

/** The whole request as the JSON that is sent. */
export function JsonView() {
  const { views, announce, settled } = useRequestSide()
  const { json, fault, isReadable } = views
  if (json === null) return null
  const format = () => {
    settled.collect()
    const text = views.requestText()
    if (faultOfJson(text)) return
    views.setJson(formatJson(text), true)
    announce("Formatted")
  }
  return (
    <section aria-label="Request as JSON" className="flex flex-col gap-2">
      <div className="flex items-center gap-2">
        <h2 className="mr-auto font-medium">Request</h2>
        <Button variant="quiet" size="sm" onClick={format}>
          <WandSparkles aria-hidden className="size-4" />
          Format
        </Button>
      </div>
      <CodeEditor
        field="json"
        label="Request as JSON"
        hint={
          isReadable
            ? undefined
            : "The form cannot show this as it stands. It runs from here all the same if the API takes it."
        }
        value={json}
        isJson
        fills
        fault={fault}
        onText={(text) => views.setJson(text)}
      />
      <StateTokens />
    </section>
  )
}
