"use client"
import { Undo2, X } from "lucide-react"
import { useEffect, useRef } from "react"
import { Button } from "@/components/ui/button"
import { IconButton } from "./icon-button"
import type { UndoStep } from "./request-context"
import { useLatest } from "./use-latest"

const GOES_AFTER_MS = 20_000

interface UndoNoticeProps {
  step: UndoStep | null
  onClose: () => void
}

/** What was just replaced or removed, one press away. It takes the focus: what had it may be gone. */
export function UndoNotice({ step, onClose }: UndoNoticeProps) {
  const button = useRef<HTMLButtonElement>(null)
  const close = useLatest(() => {
    if (document.activeElement !== button.current) onClose()
  })
  useEffect(() => {
    if (!step) return
    button.current?.focus()
    // It goes by itself once whoever did it has moved on.
    const timer = setInterval(close, GOES_AFTER_MS)
    return () => clearInterval(timer)
  }, [step, close])
  if (!step) return null
  return (
    <div className="sticky top-0 z-10 lg:-top-5 flex items-center gap-2 rounded-md border border-line bg-sunken py-1 pr-1 pl-3">
      <p className="min-w-0 flex-1 break-words">{step.done}</p>
      <Button
        ref={button}
        variant="secondary"
        size="sm"
        aria-label={`Undo: ${step.done}`}
        onClick={() => {
          step.undo()
          onClose()
        }}
      >
        <Undo2 aria-hidden className="size-4" />
        Undo
      </Button>
      <IconButton icon={X} label="Keep it so" onClick={onClose} />
    </div>
  )
}
