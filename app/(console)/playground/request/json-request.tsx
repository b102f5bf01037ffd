"use client"
import { WandSparkles } from "lucide-react"
import { Button } from "@/components/ui/button"
import { useDispatch, usePlayground } from "../model/playground-store"
import { CodeEditor } from "./code-editor"
import { StateTokens } from "./cost-panel"

export function JsonRequest() {
  const dispatch = useDispatch()
  const json = usePlayground(({ request }) => request.json)
  if (json === null) return null
  return (
    <section aria-label="Request as JSON" className="flex flex-col gap-2">
      <div className="-mb-1 flex items-center gap-2">
        <h2 className="mr-auto font-medium">Request</h2>
        <Button variant="quiet" size="sm" onClick={() => dispatch({ type: "json_formatted" })}>
          <WandSparkles aria-hidden className="size-4" />
          Format
        </Button>
      </div>
      <CodeEditor
        field="json"
        label="Request as JSON"
        hint={
          json.isReadable
            ? "Valid. It is sent unchanged."
            : "The form cannot show this request. You can still run it. The API has the final say."
        }
        value={json.text}
        isJson
        fills
        faults={json.faults}
        reveals={json.reveals}
        onText={(text) => dispatch({ type: "json_edited", text })}
      />
      <StateTokens />
    </section>
  )
}
