"use client"
import { Braces, Type } from "lucide-react"
import { useId } from "react"
import { FieldError } from "@/components/ui/field"
import { Textarea } from "@/components/ui/textarea"
import { useFieldError, useKind, useRegister, type WordsPath } from "./form-paths"
import { IconButton } from "./icon-button"

interface WordsInputProps {
  path: WordsPath
  /** What is written here: "What option 2 covers". */
  label: string
  /** Shown above instead of being heard alone. */
  isLabelShown?: boolean
  rows?: number
}

/** Instructions or a description: a text that grows with its lines, or JSON. */
export function WordsInput({ path, label, isLabelShown = false, rows = 1 }: WordsInputProps) {
  const id = useId()
  const register = useRegister()
  const { kind, setKind } = useKind(path)
  const error = useFieldError(`${path}.text`)
  const isJson = kind === "json"
  return (
    <div className="flex min-w-0 flex-1 flex-col gap-1.5">
      {isLabelShown ? (
        <label htmlFor={id} className="font-medium">
          {label}
        </label>
      ) : null}
      <div className="relative">
        <Textarea
          id={id}
          rows={rows}
          mono={isJson}
          spellCheck={!isJson}
          aria-label={isLabelShown ? undefined : isJson ? `${label}, as JSON` : label}
          aria-invalid={error ? true : undefined}
          aria-describedby={error ? `${id}-error` : undefined}
          className="block field-sizing-content max-h-80 min-h-9 supports-[field-sizing:content]:resize-none pr-9 pointer-coarse:min-h-11 pointer-coarse:pr-12"
          {...register(`${path}.text`)}
        />
        <span className="absolute top-0.5 right-0.5">
          <IconButton
            icon={isJson ? Type : Braces}
            label={`Write as ${isJson ? "a text" : "JSON"}: ${label}`}
            onClick={() => setKind(isJson ? "text" : "json")}
          />
        </span>
      </div>
      <FieldError id={`${id}-error`}>{error}</FieldError>
    </div>
  )
}
