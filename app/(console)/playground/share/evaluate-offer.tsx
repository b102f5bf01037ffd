"use client"
import { useRouter } from "next/navigation"
import { Alert } from "@/components/ui/alert"
import { Button } from "@/components/ui/button"
import { leaveForEvaluate } from "@/lib/shared/evaluation/handover"
import { useAccount, usePlaygroundStore } from "../model/playground-store"

/** Returns a function that opens the evaluate page with the playground's questions, and with a file of rows. */
function useEvaluate(): (file: File | null) => void {
  const { accountId } = useAccount()
  const { getState } = usePlaygroundStore()
  const router = useRouter()
  return (file) => {
    leaveForEvaluate(accountId, { form: getState().request.form, file })
    router.push("/evaluate")
  }
}

export function EvaluateButton() {
  const evaluate = useEvaluate()
  return (
    <Button
      variant="secondary"
      size="sm"
      title="Ask these questions about rows whose answers you know"
      onClick={() => evaluate(null)}
    >
      Evaluate this
    </Button>
  )
}

/** Returns whether a file holds rows rather than one state, as far as its name says. */
export const looksLikeRows = ({ name }: File): boolean => /\.(csv|tsv|tab|jsonl|ndjson)$/i.test(name)

interface EvaluateOfferProps {
  file: File
  onUseAsState: () => void
}

/** Asks what to do with a file of rows. */
export function EvaluateOffer({ file, onUseAsState }: EvaluateOfferProps) {
  const evaluate = useEvaluate()
  return (
    <Alert
      role="status"
      title={`${file.name} holds rows`}
      className="mt-2"
      action={
        <span className="flex flex-wrap gap-2">
          <Button size="sm" onClick={() => evaluate(file)}>
            Evaluate the rows
          </Button>
          <Button variant="secondary" size="sm" onClick={onUseAsState}>
            Use as one state
          </Button>
        </span>
      }
    >
      Evaluate asks your questions about each row and compares the answers with the labels.
    </Alert>
  )
}
