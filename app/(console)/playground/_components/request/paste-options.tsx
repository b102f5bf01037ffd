"use client"
import { useEffect, useRef, useState } from "react"
import { Button } from "@/components/ui/button"
import { Field } from "@/components/ui/field"
import { Textarea } from "@/components/ui/textarea"
import { type PastedOption, pasteOptions } from "@/lib/shared/playground/paste-options"

interface PasteOptionsProps {
  onPasted: (options: PastedOption[]) => void
  onClose: () => void
}

/** A list from elsewhere becomes options. */
export function PasteOptions({ onPasted, onClose }: PasteOptionsProps) {
  const [text, setText] = useState("")
  const area = useRef<HTMLTextAreaElement>(null)
  useEffect(() => area.current?.focus(), [])
  const options = pasteOptions(text)
  return (
    <div className="flex flex-col gap-2">
      <Field label="List" hint="One option a line; what follows a colon, a dash or a tab says what it covers.">
        <Textarea
          ref={area}
          rows={4}
          value={text}
          onChange={(event) => setText(event.target.value)}
          onKeyDown={(event) => event.key === "Escape" && onClose()}
        />
      </Field>
      <div className="flex gap-2">
        <Button variant="secondary" size="sm" disabled={options.length === 0} onClick={() => onPasted(options)}>
          {options.length === 0
            ? "Add options"
            : `Add ${options.length} ${options.length === 1 ? "option" : "options"}`}
        </Button>
        <Button variant="quiet" size="sm" onClick={onClose}>
          Cancel
        </Button>
      </div>
    </div>
  )
}
