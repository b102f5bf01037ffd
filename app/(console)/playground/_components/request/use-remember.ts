"use client"
import { useFormContext } from "react-hook-form"
import type { PlaygroundForm } from "@/lib/shared/playground/schema"
import { useRequestSide } from "./request-context"

/** Keeps the form as it is now, so that what happens next can be taken back. Model and key stay as chosen by then. */
export function useRemember(): (done: string) => void {
  const form = useFormContext<PlaygroundForm>()
  const { offerUndo, settled } = useRequestSide()
  return (done) => {
    settled.collect()
    const before = structuredClone(form.getValues())
    offerUndo({
      done,
      undo: () => {
        const { model, keyId } = form.getValues()
        form.reset({ ...before, model, keyId })
      },
    })
  }
}
