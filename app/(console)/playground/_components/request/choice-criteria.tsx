"use client"
import { ClipboardPaste, Plus, Trash2 } from "lucide-react"
import { useState } from "react"
import { Button } from "@/components/ui/button"
import { FieldError } from "@/components/ui/field"
import { Input } from "@/components/ui/input"
import { useFieldError, useRegister } from "./form-paths"
import { IconButton } from "./icon-button"
import { ListError } from "./list-error"
import { PasteOptions } from "./paste-options"
import { useOptions } from "./use-options"
import { WordsInput } from "./words-input"

/** The options of a choice, each with what it covers. */
export function ChoiceCriteria({ index }: { index: number }) {
  const { fields, path, most, add, removeAt, paste } = useOptions(index)
  const [pasting, setPasting] = useState(false)
  const listError = useFieldError(`${path}.root`)
  const isFull = fields.length >= most
  return (
    <div className="flex flex-col gap-2">
      <p className="font-medium">Options, and what each covers</p>
      <ol className="flex flex-col gap-3">
        {fields.map((field, at) => (
          <li key={field.id}>
            <OptionRow path={`${path}.${at}`} at={at} onRemove={() => removeAt(at)} />
          </li>
        ))}
      </ol>
      <ListError field={`${path}.root`} message={listError} />
      {pasting ? (
        <PasteOptions
          onPasted={(options) => {
            paste(options)
            setPasting(false)
          }}
          onClose={() => setPasting(false)}
        />
      ) : (
        <div className="flex flex-wrap gap-2">
          <Button
            variant="quiet"
            size="sm"
            disabled={isFull}
            title={isFull ? `This model takes at most ${most} options` : undefined}
            onClick={add}
          >
            <Plus aria-hidden className="size-4" />
            Add option
          </Button>
          <Button variant="quiet" size="sm" onClick={() => setPasting(true)}>
            <ClipboardPaste aria-hidden className="size-4" />
            Paste a list
          </Button>
        </div>
      )}
    </div>
  )
}

interface OptionRowProps {
  path: `questions.${number}.options.${number}`
  at: number
  onRemove: () => void
}

function OptionRow({ path, at, onRemove }: OptionRowProps) {
  const register = useRegister()
  const error = useFieldError(`${path}.name`)
  const described = `${path}-error`
  return (
    <div className="grid grid-cols-[minmax(0,1fr)_auto] gap-x-2 gap-y-1 @md:grid-cols-[9rem_minmax(0,1fr)_auto]">
      <Input
        mono
        autoComplete="off"
        autoCapitalize="none"
        aria-label={`Name of option ${at + 1}`}
        aria-invalid={error ? true : undefined}
        aria-describedby={error ? described : undefined}
        {...register(`${path}.name`)}
      />
      <div className="min-w-0 @max-md:order-last @max-md:col-span-2">
        <WordsInput path={`${path}.description`} label={`What option ${at + 1} covers`} />
      </div>
      <IconButton icon={Trash2} label={`Remove option ${at + 1}`} onClick={onRemove} />
      <div className="col-span-full empty:hidden">
        <FieldError id={described}>{error}</FieldError>
      </div>
    </div>
  )
}
