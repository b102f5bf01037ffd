import { SelectField } from "@/components/ui/select"

interface QuestionChoiceProps {
  names: readonly string[]
  chosen: string
  /** For assistive technology, in front of the question's name: "Results of". */
  prefix: string
  onChoose: (name: string) => void
}

/** Shows which question the page is about, with a choice when there are several. */
export function QuestionChoice({ names, chosen, prefix, onChoose }: QuestionChoiceProps) {
  return (
    <>
      {names.length > 1 ? (
        <SelectField
          label="Question"
          value={chosen}
          options={names}
          className="max-w-xl print:hidden"
          onChoose={onChoose}
        />
      ) : null}
      <h2 className="wrap-anywhere -mb-4 font-semibold text-lg">
        <span className="sr-only">{prefix} </span>
        {chosen}
      </h2>
    </>
  )
}
