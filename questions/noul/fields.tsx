"use client"
import { type QuestionFieldsProps, TextOrJsonInput, useTextChange } from "@/questions/field-parts"

export function NoulFields({ question, path, errors, onChange }: QuestionFieldsProps) {
  const changeYes = useTextChange(onChange, "yes")
  const changeNo = useTextChange(onChange, "no")
  return (
    <div className="grid gap-4 @md:grid-cols-2">
      <TextOrJsonInput
        path={`${path}.yes`}
        label="Yes means"
        isLabelShown
        value={question.yes}
        error={errors[`${path}.yes.text`]}
        onValue={changeYes}
      />
      <TextOrJsonInput
        path={`${path}.no`}
        label="No means"
        isLabelShown
        value={question.no}
        error={errors[`${path}.no.text`]}
        onValue={changeNo}
      />
    </div>
  )
}
