"use client"
import { Check, Copy } from "lucide-react"
import { useEffect, useState } from "react"
import { Button, type ButtonSize, type ButtonVariant } from "./button"

/** Copies text without the clipboard API, which is missing over http and can be denied. Returns whether it was copied. */
function copyByCommand(text: string): boolean {
  const area = document.createElement("textarea")
  area.value = text
  area.setAttribute("readonly", "")
  area.className = "fixed top-0 left-0 opacity-0"
  const focused = document.activeElement
  const host = focused?.closest("[role=dialog]") ?? document.body
  host.append(area)
  area.select()
  const copied = document.execCommand("copy")
  area.remove()
  // Selecting the text moved the focus.
  if (focused instanceof HTMLElement) focused.focus()
  return copied
}

async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return copyByCommand(text)
  }
}

interface CopyButtonProps {
  text: string
  label?: string
  /** Names what is copied, for assistive technology, if the label does not. */
  ariaLabel?: string
  variant?: ButtonVariant
  size?: ButtonSize
  onCopied?: () => void
}

export function CopyButton({
  text,
  label = "Copy",
  ariaLabel,
  variant = "secondary",
  size,
  onCopied,
}: CopyButtonProps) {
  const [state, setState] = useState<"idle" | "copied" | "failed">("idle")
  useEffect(() => {
    if (state === "idle") return
    const timer = setTimeout(() => setState("idle"), 2_000)
    return () => clearTimeout(timer)
  }, [state])
  const copy = async () => {
    const copied = await copyText(text)
    setState(copied ? "copied" : "failed")
    if (copied) onCopied?.()
  }
  return (
    <Button variant={variant} size={size} onClick={copy} aria-label={state === "idle" ? ariaLabel : undefined}>
      {state === "copied" ? <Check aria-hidden className="size-4" /> : <Copy aria-hidden className="size-4" />}
      <span aria-live="polite">
        {state === "copied" ? "Copied" : state === "failed" ? "Copy failed. Select the text." : label}
      </span>
    </Button>
  )
}
