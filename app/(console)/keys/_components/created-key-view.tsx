"use client"
import { useLayoutEffect, useRef } from "react"
import { Alert } from "@/components/ui/alert"
import { Button } from "@/components/ui/button"
import { CodeBlock } from "@/components/ui/code-block"
import { CopyButton } from "@/components/ui/copy-button"
import { DialogActions } from "@/components/ui/dialog"
import { Field } from "@/components/ui/field"
import { Input } from "@/components/ui/input"
import { smallCurl } from "@/lib/shared/decisions/example-request"
import type { CreatedKey } from "@/lib/shared/keys/schema"

interface CreatedKeyViewProps {
  created: CreatedKey
  baseUrl: string
  /** The user wants to close without having copied. */
  asks: boolean
  onCopied: () => void
  onKeepOpen: () => void
  onDone: () => void
}

/** The only sight of a new key's secret. */
export function CreatedKeyView({ created, baseUrl, asks, onCopied, onKeepOpen, onDone }: CreatedKeyViewProps) {
  const secret = useRef<HTMLInputElement>(null)
  const goBack = useRef<HTMLButtonElement>(null)
  // What had the focus is gone each time: the form, the button that asked to close, the question. Not an instant later:
  // the dialog takes the focus to itself in the next frame where it finds it lost.
  useLayoutEffect(() => (asks ? goBack : secret).current?.focus(), [asks])
  return (
    <>
      <div className="flex items-end gap-2">
        <Field label="Your key" className="min-w-0 flex-1">
          <Input
            ref={secret}
            mono
            readOnly
            value={created.token}
            spellCheck={false}
            onFocus={(event) => event.target.select()}
            onCopy={onCopied}
          />
        </Field>
        <CopyButton variant="primary" text={created.token} ariaLabel="Copy the key" onCopied={onCopied} />
      </div>
      <CodeBlock label="Try it now" code={smallCurl(baseUrl, created.token)} onCopied={onCopied} />
      {asks ? (
        <Alert
          tone="warn"
          role="alert"
          title="You won't see this key again"
          action={
            <div className="flex flex-wrap gap-2">
              <Button ref={goBack} variant="secondary" size="sm" onClick={onKeepOpen}>
                Go back
              </Button>
              <Button variant="danger" size="sm" onClick={onDone}>
                Close anyway
              </Button>
            </div>
          }
        >
          It has not been copied. Without it you would have to create another.
        </Alert>
      ) : (
        <DialogActions>
          <Button variant="secondary" onClick={onDone}>
            Done
          </Button>
        </DialogActions>
      )}
    </>
  )
}
