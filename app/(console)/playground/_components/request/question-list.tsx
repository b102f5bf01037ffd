"use client"
import { closestCenter, DndContext, type DragEndEvent, PointerSensor, useSensor, useSensors } from "@dnd-kit/core"
import { SortableContext, verticalListSortingStrategy } from "@dnd-kit/sortable"
import { Plus } from "lucide-react"
import { Button } from "@/components/ui/button"
import type { QuestionForm } from "@/lib/playground/schema"
import { useFieldError } from "./form-paths"
import { ListError } from "./list-error"
import { QuestionCard } from "./question-card"
import { useRequestSide } from "./request-context"
import { useQuestions } from "./use-questions"

const TYPES: readonly { type: QuestionForm["type"]; label: string }[] = [
  { type: "noul", label: "Add yes/no" },
  { type: "choice", label: "Add choice" },
  { type: "score", label: "Add score" },
]

/** A reader of the page hears about moves from its buttons: what is dragged by pointer is seen. */
const SILENT = { announcements: { onDragStart: mute, onDragOver: mute, onDragEnd: mute, onDragCancel: mute } }
function mute(): undefined {}

/** The questions of the request, in the order in which they are asked. */
export function QuestionList() {
  const questions = useQuestions()
  const { fields } = questions
  const { limits } = useRequestSide()
  const error = useFieldError("questions.root")
  const sensors = useSensors(useSensor(PointerSensor, { activationConstraint: { distance: 4 } }))
  const isFull = fields.length >= limits.maxQuestions
  const onDragEnd = ({ active, over }: DragEndEvent) => {
    const at = (id: string | number | undefined) => fields.findIndex((field) => field.id === id)
    if (over && active.id !== over.id) questions.move(at(active.id), at(over.id))
  }
  return (
    <section aria-label="Questions" className="flex flex-col gap-3">
      <h2 className="flex items-baseline justify-between font-medium">
        Questions
        <span className="font-normal text-ink-muted text-sm tabular-nums">
          {fields.length} of {limits.maxQuestions}
        </span>
      </h2>
      <DndContext
        id="questions"
        sensors={sensors}
        collisionDetection={closestCenter}
        accessibility={SILENT}
        onDragEnd={onDragEnd}
      >
        <SortableContext items={fields} strategy={verticalListSortingStrategy}>
          <ol className="flex flex-col gap-4">
            {fields.map(({ id }, index) => (
              <li key={id}>
                <QuestionCard
                  id={id}
                  index={index}
                  isLast={index === fields.length - 1}
                  onMove={(by) => questions.step(index, by)}
                  onDuplicate={() => questions.duplicate(index)}
                  onRemove={() => questions.remove(index)}
                  onFix={(apply) => questions.fix(index, apply)}
                />
              </li>
            ))}
          </ol>
        </SortableContext>
      </DndContext>
      <ListError field="questions.root" message={error} />
      <div className="flex flex-wrap items-center gap-2">
        {TYPES.map(({ type, label }) => (
          <Button key={type} variant="secondary" size="sm" disabled={isFull} onClick={() => questions.add(type)}>
            <Plus aria-hidden className="size-4" />
            {label}
          </Button>
        ))}
        {isFull ? (
          <p className="text-ink-muted text-sm">
            The model takes at most {limits.maxQuestions} questions in a request.
          </p>
        ) : null}
      </div>
    </section>
  )
}
