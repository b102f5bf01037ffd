"use client"
import { useState } from "react"
import { useFormContext } from "react-hook-form"
import { Button } from "@/components/ui/button"
import { exampleForm } from "@/lib/playground/examples"
import type { PlaygroundForm } from "@/lib/playground/schema"

/** Brings the example back; what stood there before is one press away. */
export function ResetExample({ model }: { model: string }) {
  const form = useFormContext<PlaygroundForm>()
  const [before, setBefore] = useState<PlaygroundForm | null>(null)
  if (before)
    return (
      <Button
        variant="secondary"
        size="sm"
        onClick={() => {
          form.reset(before)
          setBefore(null)
        }}
      >
        Undo reset
      </Button>
    )
  return (
    <Button
      variant="secondary"
      size="sm"
      onClick={() => {
        setBefore(structuredClone(form.getValues()))
        form.reset(exampleForm(model))
      }}
    >
      Reset example
    </Button>
  )
}
