"use client"
import { ClipboardPaste, Plus, Trash2 } from "lucide-react"
import { memo, useEffect, useRef, useState } from "react"
import { flushSync } from "react-dom"
import { Button } from "@/components/ui/button"
import { Field, FieldError } from "@/components/ui/field"
import { focusFieldNow } from "@/components/ui/focus-field"
import { IconButton } from "@/components/ui/icon-button"
import { Input } from "@/components/ui/input"
import { Textarea } from "@/components/ui/textarea"
import { countOf } from "@/lib/shared/format"
import { asText, isBlank } from "@/lib/shared/json-source/text-or-json"
import { type ChangeQuestion, ListError, type QuestionFieldsProps, TextOrJsonInput } from "@/questions/field-parts"
import { emptyOption, type OptionForm } from "./form"
import { type ListedOption, parseOptionList } from "./option-list"

/** A request may have 128 questions with 255 options each: more fields than a page can have. */
const SHOWN_OPTIONS = 30

export function ChoiceFields({ question, path, errors, limits, onChange }: QuestionFieldsProps) {
  const { options } = question
  const list = `${path}.options`
  const [isWhole, setWhole] = useState(false)
  const hasError = (at: number) => errors[`${list}.${at}.name`] || errors[`${list}.${at}.description.text`]
  // The focus moves to the first error, so its row is shown.
  const count = isWhole ? options.length : Math.max(SHOWN_OPTIONS, options.findIndex((_, at) => hasError(at)) + 1)
  return (
    <div className="flex flex-col gap-2">
      <p className="font-medium">Options, and what each covers</p>
      <ol className="flex flex-col gap-3">
        {options.slice(0, count).map((option, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: rows have no state of their own
          <li key={at}>
            <OptionRow
              option={option}
              at={at}
              path={`${list}.${at}`}
              nameError={errors[`${list}.${at}.name`]}
              descriptionError={errors[`${list}.${at}.description.text`]}
              onChange={onChange}
            />
          </li>
        ))}
      </ol>
      {count < options.length ? (
        <Button variant="secondary" size="sm" className="self-start" onClick={() => setWhole(true)}>
          Show all {options.length} options
        </Button>
      ) : null}
      <ListError field={`${list}.root`} message={errors[`${list}.root`]} />
      <AddOptions
        options={options}
        list={list}
        max={limits.maxOptions}
        onChange={(...change) => {
          setWhole(true)
          onChange(...change)
        }}
      />
    </div>
  )
}

interface OptionRowProps {
  option: OptionForm
  at: number
  path: string
  nameError: string | undefined
  descriptionError: string | undefined
  onChange: ChangeQuestion
}

/** Memoized: a choice may have 255 options, and a keystroke changes one. */
const OptionRow = memo(function OptionRow(props: OptionRowProps) {
  const { option, at, path, nameError, descriptionError, onChange } = props
  const set = (change: Partial<OptionForm>) =>
    onChange((before) => ({ ...before, options: before.options.with(at, { ...option, ...change }) }))
  const remove = () =>
    onChange((before) => ({ ...before, options: before.options.toSpliced(at, 1) }), {
      undo: {
        label: `Removed option ${option.name || at + 1}`,
        change: (before) => ({ ...before, options: before.options.toSpliced(at, 0, option) }),
      },
    })
  const errorId = `${path}-error`
  return (
    <div className="grid grid-cols-[minmax(0,1fr)_auto] gap-x-2 gap-y-1 @md:grid-cols-[9rem_minmax(0,1fr)_auto]">
      <Input
        mono
        name={`${path}.name`}
        autoComplete="off"
        autoCapitalize="none"
        aria-label={`Name of option ${at + 1}`}
        aria-invalid={nameError ? true : undefined}
        aria-describedby={nameError ? errorId : undefined}
        value={option.name}
        onChange={(event) => set({ name: event.target.value })}
      />
      <div className="min-w-0 @max-md:order-last @max-md:col-span-2">
        <TextOrJsonInput
          path={`${path}.description`}
          label={`What option ${at + 1} covers`}
          value={option.description}
          error={descriptionError}
          onValue={(description) => set({ description })}
        />
      </div>
      <IconButton icon={Trash2} label={`Remove option ${at + 1}`} onClick={remove} />
      <div className="col-span-full empty:hidden">
        <FieldError id={errorId}>{nameError}</FieldError>
      </div>
    </div>
  )
})

interface AddOptionsProps {
  options: OptionForm[]
  list: string
  max: number
  onChange: ChangeQuestion
}

function AddOptions({ options, list, max, onChange }: AddOptionsProps) {
  const [isPasting, setPasting] = useState(false)
  const pasteButton = useRef<HTMLButtonElement>(null)
  const isFull = options.length >= max
  const add = () => {
    flushSync(() => onChange((before) => ({ ...before, options: [...before.options, emptyOption()] })))
    focusFieldNow(`${list}.${options.length}.name`)
  }
  const close = () => {
    flushSync(() => setPasting(false))
    pasteButton.current?.focus()
  }
  const paste = (added: ListedOption[]) => {
    const kept = options.filter(({ name, description }) => name !== "" || !isBlank(description))
    const after = [...kept, ...added.map(({ name, description }) => ({ name, description: asText(description) }))]
    onChange((before) => ({ ...before, options: after }), {
      undo: {
        label: `Added ${countOf(added.length, "option")}`,
        change: (before) => ({ ...before, options }),
      },
    })
    // The notice that offers to undo it has the focus.
    setPasting(false)
  }
  if (isPasting) return <PasteOptions existing={options} onPasted={paste} onClose={close} />
  return (
    <div className="flex flex-wrap gap-2">
      <Button
        variant="quiet"
        size="sm"
        disabled={isFull}
        title={isFull ? `This model accepts at most ${countOf(max, "option")}` : undefined}
        onClick={add}
      >
        <Plus aria-hidden className="size-4" />
        Add option
      </Button>
      <Button ref={pasteButton} variant="quiet" size="sm" onClick={() => setPasting(true)}>
        <ClipboardPaste aria-hidden className="size-4" />
        Paste a list
      </Button>
    </div>
  )
}

interface PasteOptionsProps {
  existing: OptionForm[]
  onPasted: (added: ListedOption[]) => void
  onClose: () => void
}

function PasteOptions({ existing, onPasted, onClose }: PasteOptionsProps) {
  const [text, setText] = useState("")
  const area = useRef<HTMLTextAreaElement>(null)
  useEffect(() => area.current?.focus(), [])
  const added = parseOptionList(text, existing)
  const isNothingNew = added.length === 0 && parseOptionList(text, []).length > 0
  return (
    <div className="flex flex-col gap-2">
      <Field
        label="List"
        hint="One option per line. Text after a colon, dash or tab describes it."
        error={isNothingNew ? "The question has all of these options already." : undefined}
      >
        <Textarea
          ref={area}
          rows={4}
          value={text}
          onChange={(event) => setText(event.target.value)}
          onKeyDown={(event) => event.key === "Escape" && onClose()}
        />
      </Field>
      <div className="flex gap-2">
        <Button variant="secondary" size="sm" disabled={added.length === 0} onClick={() => onPasted(added)}>
          {added.length === 0 ? "Add options" : `Add ${countOf(added.length, "option")}`}
        </Button>
        <Button variant="quiet" size="sm" onClick={onClose}>
          Cancel
        </Button>
      </div>
    </div>
  )
}
