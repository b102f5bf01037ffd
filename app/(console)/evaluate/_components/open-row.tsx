"use client"
import { useRouter } from "next/navigation"
import { useState } from "react"
import { Alert } from "@/components/ui/alert"
import { Button } from "@/components/ui/button"
import { readTextOrJson } from "@/lib/shared/json-source/text-or-json"
import type { RequestForm } from "@/lib/shared/request-form/request-form"
import { writeRequest } from "@/lib/shared/request-form/write-request"
import { storeHandover } from "@/lib/shared/share-link/handover"

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
