"use client"
import clsx from "clsx"
import { type RefObject, useEffect, useId, useRef } from "react"
import { FieldError } from "@/components/ui/field"
import { controlClass } from "@/components/ui/input"
import type { Fault } from "@/lib/playground/find-fault"
import type { EditorHandle } from "./editor"
import { useRequestSide } from "./request-context"
import { useEditor } from "./use-editor"

interface CodeEditorProps {
  /** As react-hook-form names it. */
  field: string
  label: string
  hint?: string
  error?: string
  value: string
  isJson: boolean
  fault?: Fault | null
  /** Grows with its text up to a limit, or fills the room it has. */
  fills?: boolean
  onText: (text: string) => void
  onLeave?: () => void
  handle?: RefObject<EditorHandle | null>
}

const FRAME =
  "rounded-md border border-line-strong bg-surface text-md sm:text-base has-[:focus]:outline-2 has-[:focus]:outline-accent has-[:focus]:outline-offset-2"

const GROWING = "min-h-52 max-h-120 [&_.cm-editor]:max-h-119 [&_.cm-editor]:min-h-52"
const FILLING = "h-[max(20rem,calc(100dvh-27rem))] [&_.cm-editor]:h-full"

/** A text area that becomes a code editor. Tab leaves it; Ctrl+F searches in it. */
export function CodeEditor(props: CodeEditorProps) {
  const { field, label, hint, error, value, isJson, fault = null, fills = false, onText, onLeave, handle } = props
  const { settled } = useRequestSide()
  const id = useId()
  const area = useRef<HTMLTextAreaElement>(null)
  const host = useRef<HTMLDivElement>(null)
  const attributes = {
    "aria-label": label,
    "aria-describedby": [`${id}-hint`, error || fault ? `${id}-error` : ""].filter(Boolean).join(" "),
    ...(error || fault ? { "aria-invalid": "true" } : {}),
  }
  const setting = { isJson, attributes }
  const left = () => onLeave?.()
  const { isOpen, editor } = useEditor({ area, host, value, setting, fault, settled, onText, onLeave: left })
  useEffect(() => {
    if (handle && isOpen) handle.current = editor.current
  }, [handle, isOpen, editor])
  const size = fills ? FILLING : GROWING
  return (
    <div className="flex min-w-0 flex-col gap-1.5">
      <div data-field={field}>
        <textarea
          ref={area}
          name={field}
          value={isOpen ? "" : value}
          readOnly={isOpen}
          onChange={(event) => onText(event.target.value)}
          onBlur={left}
          spellCheck={!isJson}
          {...attributes}
          aria-invalid={error || fault ? true : undefined}
          className={clsx(
            controlClass,
            "min-h-52 resize-y py-2",
            isJson && "font-mono sm:text-sm",
            fills && "h-[max(20rem,calc(100dvh-27rem))]",
            isOpen ? "hidden" : "block",
          )}
        />
        <div
          ref={host}
          hidden={!isOpen}
          className={clsx(
            FRAME,
            "overflow-hidden",
            size,
            isJson && "font-mono sm:text-sm",
            (error || fault) && "border-danger",
          )}
        />
      </div>
      <p id={`${id}-hint`} className={hint ? "text-ink-muted text-sm" : "sr-only"}>
        {hint} <span className="sr-only">Tab leaves the editor. Ctrl+F or ⌘+F searches in it.</span>
      </p>
      <div id={`${id}-error`} className="flex flex-wrap items-baseline gap-x-3">
        <FieldError>{fault ? `Line ${fault.line}, column ${fault.column}: ${fault.message}` : error}</FieldError>
        {fault && isOpen ? (
          <button
            type="button"
            className="text-accent text-sm underline pointer-coarse:min-h-11"
            onClick={() => editor.current?.select(fault.from, fault.to)}
          >
            Go there
          </button>
        ) : null}
      </div>
    </div>
  )
}
