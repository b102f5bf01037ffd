"use client"
import { startTransition, useActionState, useState } from "react"
import { Button } from "@/components/ui/button"
import { Field } from "@/components/ui/field"
import { Select } from "@/components/ui/select"
import { Textarea } from "@/components/ui/textarea"
import { estimateCost } from "@/lib/shared/models/estimate-cost"
import { keepTyped } from "../actions"
import { CalculatorResult } from "./calculator-result"

/** A model that can be called, as the calculator needs it. */
export interface PricedModel {
  id: string
  pricePerMillionUsd: string | null
  /** It has no tokenizer: a token is a started group of 4 bytes, so that nothing is estimated. */
  isExact: boolean
}

interface CalculatorProps {
  models: PricedModel[]
  /** What stands in the fields at first. */
  example: { state: string; questions: string }
}

/** Text and questions in, cost of 1,000 requests out. Computed as you type; without a script, when the form is sent. */
export function Calculator({ models, example }: CalculatorProps) {
  const [first] = models
  const [sent, send] = useActionState(keepTyped, { model: first?.id ?? "", ...example })
  const [typed, setTyped] = useState(sent)
  const model = models.find(({ id }) => id === typed.model) ?? first
  if (!model) return null
  const change = (name: keyof typeof typed) => (event: { target: { value: string } }) => {
    const { value } = event.target
    // The browser keeps the fields: a letter shows at once, and the result may come a moment later.
    startTransition(() => setTyped((before) => ({ ...before, [name]: value })))
  }
  const texts = [typed.state, ...typed.questions.split("\n").map((line) => line.trim())]
  return (
    <form action={send} className="grid gap-x-10 gap-y-6 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
      <div className="flex min-w-0 flex-col gap-4">
        <Field label="Model">
          <Select name="model" defaultValue={sent.model} onChange={change("model")}>
            {models.map(({ id }) => (
              <option key={id} value={id}>
                {id}
              </option>
            ))}
          </Select>
        </Field>
        <Field label="State" hint="The text or JSON that you ask about. It is billed once, however many questions.">
          <Textarea name="state" rows={4} defaultValue={sent.state} onChange={change("state")} />
        </Field>
        <Field label="Questions" hint="One text on each line: instructions, option names, descriptions, levels.">
          <Textarea name="questions" rows={6} defaultValue={sent.questions} onChange={change("questions")} />
        </Field>
        <noscript>
          <Button type="submit">Work out the price</Button>
        </noscript>
      </div>
      <CalculatorResult model={model} estimate={estimateCost(texts, model.pricePerMillionUsd)} />
    </form>
  )
}
