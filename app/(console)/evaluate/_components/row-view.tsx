"use client"
import { useRouter } from "next/navigation"
import { useState } from "react"
import { Alert } from "@/components/ui/alert"
import { Button } from "@/components/ui/button"
import { formatJson, readTextOrJson } from "@/lib/shared/json-source/text-or-json"
import type { RequestForm } from "@/lib/shared/request-form/request-form"
import { writeRequest } from "@/lib/shared/request-form/write-request"
import { storeHandover } from "@/lib/shared/share-link/handover"

const SHOWN_LENGTH = 400

/** Returns the start of what the model read. `json` is the state's source. */
export function stateText(json: string): string {
  const text = json.startsWith('"') ? (JSON.parse(json) as string) : formatJson(json)
  return text.length > SHOWN_LENGTH ? `${text.slice(0, SHOWN_LENGTH)}…` : text
}

interface OpenRowProps {
  form: RequestForm
  row: { line: number; state: string }
}

/** Opens a row in the playground, with the questions of its run. */
export function OpenRow({ form, row: { line, state } }: OpenRowProps) {
  const router = useRouter()
  const [isBlocked, setBlocked] = useState(false)
  const open = () => {
    if (storeHandover(writeRequest({ ...form, state: readTextOrJson(state, null) }))) router.push("/playground")
    else setBlocked(true)
  }
  return (
    <>
      <Button variant="secondary" size="sm" className="print:hidden" onClick={open}>
        Open in playground<span className="sr-only"> line {line}</span>
      </Button>
      {isBlocked ? (
        <Alert tone="danger" role="alert">
          This browser blocks storage for this page, so the row cannot be handed to the playground.
        </Alert>
      ) : null}
    </>
  )
}
