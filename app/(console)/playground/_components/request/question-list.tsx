"use client"
import { useFieldArray, useFormContext } from "react-hook-form"
import { Button } from "@/components/ui/button"
import { emptyQuestion } from "@/lib/playground/empty-question"
import type { PlaygroundForm, QuestionForm } from "@/lib/playground/schema"
import { ListError } from "./list-error"
import { QuestionCard } from "./question-card"

const TYPES: readonly { type: QuestionForm["type"]; label: string }[] = [
  { type: "noul", label: "Add yes/no" },
  { type: "choice", label: "Add choice" },
  { type: "score", label: "Add score" },
]

/** A name that no question has yet: `question_1`, or `refund_2` for a copy of `refund`. */
function freeName(base: string, from: number, taken: Set<string>): string {
  for (let n = from; ; n++) if (!taken.has(`${base}_${n}`)) return `${base}_${n}`
}

/** The questions of the request, in the order in which they are asked. */
export function QuestionList() {
  const { control, getValues, formState } = useFormContext<PlaygroundForm>()
  const { fields, append, insert, remove, move } = useFieldArray({ control, name: "questions" })
  const names = () => new Set(getValues("questions").map(({ name }) => name))

  const duplicate = (index: number) => {
    const copy = structuredClone(getValues(`questions.${index}`))
    insert(index + 1, { ...copy, name: freeName(copy.name.replace(/_\d+$/, ""), 2, names()) })
  }
  return (
    <section aria-label="Questions" className="flex flex-col gap-3">
      <h2 className="font-medium">Questions</h2>
      <ol className="flex flex-col gap-4">
        {fields.map((field, index) => (
          <li key={field.id}>
            <QuestionCard
              index={index}
              isLast={index === fields.length - 1}
              onMove={(by) => move(index, index + by)}
              onDuplicate={() => duplicate(index)}
              onRemove={() => remove(index)}
            />
          </li>
        ))}
      </ol>
      <ListError field="questions.root" message={formState.errors.questions?.root?.message} />
      <div className="flex flex-wrap gap-2">
        {TYPES.map(({ type, label }) => (
          <Button
            key={type}
            variant="secondary"
            size="sm"
            onClick={() =>
              append(emptyQuestion(type, freeName("question", 1, names())), {
                shouldFocus: true,
                focusName: `questions.${fields.length}.instructions.text`,
              })
            }
          >
            {label}
          </Button>
        ))}
      </div>
    </section>
  )
}
