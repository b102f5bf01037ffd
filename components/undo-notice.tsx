"use client"
import clsx from "clsx"
import { Undo2, X } from "lucide-react"
import { useEffect, useEffectEvent, useRef } from "react"
import { Button } from "@/components/ui/button"
import { IconButton } from "@/components/ui/icon-button"

const CLOSES_AFTER_MS = 20_000

interface UndoNoticeProps {
  /** The last step, the same object for as long as it can be undone. Null hides the notice. */
  step: { label: string } | null
  onUndo: () => void
  onDismiss: () => void
  /** Where the notice stays while the page scrolls. */
  className: string
}

/** Offers to undo the last step. It takes the focus, because the element that had it may be gone. */
export function UndoNotice({ step, onUndo, onDismiss, className }: UndoNoticeProps) {
  const button = useRef<HTMLButtonElement>(null)
  const closeUnlessFocused = useEffectEvent(() => {
    if (document.activeElement !== button.current) onDismiss()
  })
  const undoByKey = useEffectEvent((event: KeyboardEvent) => {
    const isUndo = (event.metaKey || event.ctrlKey) && !event.shiftKey && !event.altKey && event.key === "z"
    if (!isUndo || document.activeElement?.closest("[role=dialog]")) return
    event.preventDefault()
    event.stopPropagation()
    onUndo()
  })
  useEffect(() => {
    if (!step) return
    // In the capture phase: the step is the last edit, so it is undone before an editor undoes an earlier one.
    const onKeyDown = (event: KeyboardEvent) => undoByKey(event)
    document.addEventListener("keydown", onKeyDown, true)
    return () => document.removeEventListener("keydown", onKeyDown, true)
  }, [step])
  useEffect(() => {
    if (!step) return
    button.current?.focus()
    const timer = setInterval(closeUnlessFocused, CLOSES_AFTER_MS)
    return () => clearInterval(timer)
  }, [step])
  if (!step) return null
  return (
    <div
      className={clsx(
        "sticky z-10 flex items-center gap-2 rounded-md border border-line bg-sunken py-1 pr-1 pl-3",
        className,
      )}
    >
      <p className="min-w-0 flex-1 break-words">{step.label}</p>
      <Button
        ref={button}
        variant="secondary"
        size="sm"
        aria-label={`Undo: ${step.label}`}
        title="Ctrl+Z or ⌘+Z"
        onClick={onUndo}
      >
        <Undo2 aria-hidden className="size-4" />
        Undo
      </Button>
      <IconButton icon={X} label="Dismiss" onClick={onDismiss} />
    </div>
  )
}
