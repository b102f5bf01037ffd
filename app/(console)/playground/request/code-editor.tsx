"use client"
import clsx from "clsx"
import { useEffect, useEffectEvent, useId, useMemo, useRef } from "react"
import { FieldError } from "@/components/ui/field"
import { afterFrame } from "@/components/ui/focus-field"
import { controlClass } from "@/components/ui/input"
import { wrapOf } from "@/components/ui/textarea"
import { isSlowToEdit } from "@/lib/shared/long-runs"
import type { Fault } from "@/lib/shared/request-form/find-fault"
import { useDispatch } from "../model/playground-store"
import { FaultList } from "./fault-list"
import { useEditor } from "./use-editor"

/** A text area lays out all of its text, which takes seconds for a megabyte. The editor lays out only what is visible. */
const MAX_AREA = 20_000

interface CodeEditorProps {
  field: string
  label: string
  hint?: string | undefined
  error?: string | undefined
  value: string
  isJson: boolean
  faults?: readonly Fault[]
  /** When this number grows, the editor scrolls to the first fault and selects it. */
  reveals?: number
  fills?: boolean
  onText: (text: string) => void
  onLeave?: () => void
}

const FRAME =
  "overflow-hidden rounded-md border border-line-strong bg-surface text-md sm:text-base has-[:focus]:outline-2 has-[:focus]:outline-accent has-[:focus]:outline-offset-2"

const GROWING = "min-h-52 max-h-120 [&_.cm-editor]:max-h-119 [&_.cm-editor]:min-h-52"
const HEIGHT = "h-[max(20rem,calc(100dvh-19rem))]"
const FILLING = `${HEIGHT} [&_.cm-editor]:h-full`
const AREA = `${controlClass} min-h-52 resize-y py-2`

const NO_FAULTS: readonly Fault[] = []

/** A text area that becomes a code editor. Tab leaves it, Ctrl+F or ⌘+F searches in it. */
export function CodeEditor(props: CodeEditorProps) {
  const { field, label, hint, error, value, isJson, fills = false, onText, onLeave } = props
  const { faults = NO_FAULTS, reveals = 0 } = props
  const dispatch = useDispatch()
  const id = useId()
  const area = useRef<HTMLTextAreaElement>(null)
  const host = useRef<HTMLDivElement>(null)
  const verdict = useRef<HTMLDivElement>(null)
  const isWrong = Boolean(error) || faults.length > 0
  const attributes = {
    "aria-label": label,
    "aria-describedby": `${id}-hint ${id}-verdict`,
    ...(isWrong ? { "aria-invalid": "true" as const } : {}),
  }
  const leave = () => onLeave?.()
  const { isOpen, isMissing, editor } = useEditor({
    area,
    host,
    value,
    setting: { isJson, attributes },
    faults,
    onTyping: () => dispatch({ type: "typing" }),
    onText,
    onLeave: leave,
  })
  const isHeavy = useMemo(() => value.length > MAX_AREA || isSlowToEdit(value), [value])
  const isElsewhere = isOpen || (isHeavy && !isMissing)
  const goTo = ({ from, to }: Fault) => editor.current?.select(from, to)
  const reveal = useEffectEvent(() => {
    if (faults[0]) goTo(faults[0])
    // The error is above the editor. On a phone, showing the whole editor may hide it.
    afterFrame(() => verdict.current?.scrollIntoView({ block: "nearest" }))
  })
  useEffect(() => {
    if (reveals > 0) reveal()
  }, [reveals])
  return (
    <div className="flex min-w-0 flex-col gap-1.5">
      <div
        ref={verdict}
        id={`${id}-verdict`}
        className={clsx("flex scroll-mt-16 flex-wrap items-baseline gap-x-3 text-sm", isJson && "min-h-5")}
      >
        {faults.length > 0 ? (
          <FaultList faults={faults} onGo={isOpen ? goTo : undefined} />
        ) : (
          <FieldError>{error}</FieldError>
        )}
        {hint && !isWrong ? <p className="text-ink-muted">{hint}</p> : null}
      </div>
      <div data-field={field}>
        <textarea
          ref={area}
          name={field}
          value={isElsewhere ? "" : value}
          readOnly={isElsewhere}
          placeholder={isElsewhere ? "Loading the editor…" : undefined}
          onChange={(event) => onText(event.target.value)}
          onBlur={leave}
          spellCheck={!isJson}
          dir={isJson ? "ltr" : "auto"}
          {...attributes}
          wrap={isElsewhere ? undefined : wrapOf(value)}
          className={clsx(AREA, isJson && "font-mono sm:text-sm", fills && HEIGHT, isOpen ? "hidden" : "block")}
        />
        <div
          ref={host}
          hidden={!isOpen}
          className={clsx(
            FRAME,
            fills ? FILLING : GROWING,
            isJson && "font-mono sm:text-sm",
            isWrong && "border-danger",
          )}
        />
      </div>
      <p id={`${id}-hint`} className="sr-only">
        Tab leaves the editor. Ctrl+F or ⌘+F searches in it.
      </p>
    </div>
  )
}
