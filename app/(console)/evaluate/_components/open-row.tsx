"use client"
import { Button } from "@/components/ui/button"
import { useHandover } from "@/components/use-handover"
import { readTextOrJson } from "@/lib/shared/json-source/text-or-json"
import type { RequestForm } from "@/lib/shared/request-form/request-form"
import { writeRequest } from "@/lib/shared/request-form/write-request"
import { storeHandover } from "@/lib/shared/share-link/store-handover"

interface OpenRowProps {
  form: RequestForm
  row: { line: number; state: string }
}

/** Opens a row in the playground, with the questions of its run. */
export function OpenRow({ form, row: { line, state } }: OpenRowProps) {
  const { open, refusal } = useHandover("/playground", "the row")
  const store = () => storeHandover(writeRequest({ ...form, state: readTextOrJson(state, null) }))
  return (
    <>
      <Button variant="secondary" size="sm" className="print:hidden" onClick={() => open(store)}>
        Open in playground<span className="sr-only"> line {line}</span>
      </Button>
      {refusal}
    </>
  )
}
