"use client"
import { useFormContext } from "react-hook-form"
import { Button } from "@/components/ui/button"
import { EXAMPLES, exampleForm } from "@/lib/shared/playground/examples"
import type { PlaygroundForm } from "@/lib/shared/playground/schema"
import { useRemember } from "./use-remember"

/** Requests from everyday work. What stood there before is one press away. */
export function ExamplesBar() {
  const form = useFormContext<PlaygroundForm>()
  const remember = useRemember()
  return (
    <section aria-label="Examples" className="flex min-w-0 max-w-full items-center gap-2">
      <span aria-hidden className="shrink-0 text-ink-muted text-sm">
        Examples
      </span>
      <div className="-my-1 flex min-w-0 gap-2 overflow-x-auto p-1">
        {EXAMPLES.map((example) => (
          <Button
            key={example.id}
            variant="secondary"
            size="sm"
            onClick={() => {
              remember(`Loaded the example ${example.title.toLowerCase()}`)
              const { model, keyId } = form.getValues()
              form.reset({ ...exampleForm(model, example), keyId })
            }}
          >
            {example.title}
          </Button>
        ))}
      </div>
    </section>
  )
}
