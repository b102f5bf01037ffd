"use client"
import clsx from "clsx"
import { useId, useRef } from "react"
import { FieldError } from "@/components/ui/field"
import { controlClass } from "@/components/ui/input"
import type { Fault } from "@/lib/shared/request-form/find-fault"
import { useDispatch } from "../model/playground-store"
import { useEditor } from "./use-editor"

interface CodeEditorProps {
  field: string
  label: string
  hint?: string | undefined
  error?: string | undefined
  value: string
  isJson: boolean
  fault?: Fault | null
  fills?: boolean
  onText: (text: string) => void
  onLeave?: () => void
}

const FRAME =
  "overflow-hidden rounded-md border border-line-strong bg-surface text-md sm:text-base has-[:focus]:outline-2 has-[:focus]:outline-accent has-[:focus]:outline-offset-2"

const GROWING = "min-h-52 max-h-120 [&_.cm-editor]:max-h-119 [&_.cm-editor]:min-h-52"
const HEIGHT = "h-[max(20rem,calc(100dvh-27rem))]"
const FILLING = `${HEIGHT} [&_.cm-editor]:h-full`
const AREA = `${controlClass} min-h-52 resize-y py-2`

/** A text area that becomes a code editor. Tab leaves it, Ctrl+F or ⌘+F searches in it. */
export function CodeEditor(props: CodeEditorProps) {
  const { field, label, hint, error, value, isJson, fault = null, fills = false, onText, onLeave } = props
  const dispatch = useDispatch()
  const id = useId()
  const area = useRef<HTMLTextAreaElement>(null)
  const host = useRef<HTMLDivElement>(null)
  const isWrong = Boolean(error || fault)
  const attributes = {
    "aria-label": label,
    "aria-describedby": isWrong ? `${id}-hint ${id}-error` : `${id}-hint`,
    ...(isWrong ? { "aria-invalid": "true" as const } : {}),
  }
  const leave = () => onLeave?.()
  const { isOpen, editor } = useEditor({
    area,
    host,
    value,
    setting: { isJson, attributes },
    fault,
    onTyping: () => dispatch({ type: "typing" }),
    onText,
    onLeave: leave,
  })
  return (
    <div className="flex min-w-0 flex-col gap-1.5">
      <div data-field={field}>
        <textarea
          ref={area}
          name={field}
          value={isOpen ? "" : value}
          readOnly={isOpen}
          onChange={(event) => onText(event.target.value)}
          onBlur={leave}
          spellCheck={!isJson}
          {...attributes}
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
      <p id={`${id}-hint`} className={hint ? "text-ink-muted text-sm" : "sr-only"}>
        {hint} <span className="sr-only">Tab leaves the editor. Ctrl+F or ⌘+F searches in it.</span>
      </p>
      <div id={`${id}-error`} className="flex flex-wrap items-baseline gap-x-3">
        {fault ? (
          <FaultLine fault={fault} onGo={isOpen ? () => editor.current?.select(fault.from, fault.to) : undefined} />
        ) : (
          <FieldError>{error}</FieldError>
        )}
      </div>
    </div>
  )
}

function FaultLine({ fault, onGo }: { fault: Fault; onGo: (() => void) | undefined }) {
  return (
    <>
      <FieldError>{`Line ${fault.line}, column ${fault.column}: ${fault.message}`}</FieldError>
      {onGo ? (
        <button type="button" className="text-accent text-sm underline pointer-coarse:min-h-11" onClick={onGo}>
          Go to error
        </button>
      ) : null}
    </>
  )
}
