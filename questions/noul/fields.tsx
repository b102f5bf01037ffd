"use client"
import { type QuestionFieldsProps, TextOrJsonInput } from "@/components/question-editor/field-parts"

export function NoulFields({ question, path, errors, onChange }: QuestionFieldsProps) {
  return (
    <div className="grid gap-4 @md:grid-cols-2">
      <TextOrJsonInput
        path={`${path}.yes`}
        label="Yes means"
        isLabelShown
        value={question.yes}
        error={errors[`${path}.yes.text`]}
        onValue={(yes) => onChange((before) => ({ ...before, yes }))}
      />
      <TextOrJsonInput
        path={`${path}.no`}
        label="No means"
        isLabelShown
        value={question.no}
        error={errors[`${path}.no.text`]}
        onValue={(no) => onChange((before) => ({ ...before, no }))}
      />
    </div>
  )
}
