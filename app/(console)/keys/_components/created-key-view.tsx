"use client"
import { useLayoutEffect, useRef } from "react"
import { Alert } from "@/components/ui/alert"
import { Button } from "@/components/ui/button"
import { CodeBlock } from "@/components/ui/code-block"
import { CopyButton } from "@/components/ui/copy-button"
import { DialogActions } from "@/components/ui/dialog"
import { Field } from "@/components/ui/field"
import { Textarea } from "@/components/ui/textarea"
import { smallCurl } from "@/lib/shared/decisions/example-request"
import type { CreatedKey } from "@/lib/shared/keys/schema"

interface CreatedKeyViewProps {
  created: CreatedKey
  baseUrl: string
  /** The user asked to close before copying the key. */
  isConfirming: boolean
  onCopied: () => void
  onKeepOpen: () => void
  onDone: () => void
}

export function CreatedKeyView({ created, baseUrl, isConfirming, onCopied, onKeepOpen, onDone }: CreatedKeyViewProps) {
  const secret = useRef<HTMLTextAreaElement>(null)
  const goBack = useRef<HTMLButtonElement>(null)
  // The element that had the focus was removed: the form, the button, or the confirmation. A layout effect runs before the next
  // frame, in which the dialog would otherwise move the focus to itself.
  useLayoutEffect(() => (isConfirming ? goBack : secret).current?.focus(), [isConfirming])
  return (
    <>
      <div className="flex flex-wrap items-end gap-2">
        <Field label="Your key" className="min-w-0 flex-1 basis-64">
          <Textarea
            ref={secret}
            mono
            readOnly
            rows={2}
            className="resize-none break-all max-sm:text-sm"
            value={created.token}
            spellCheck={false}
            onFocus={(event) => event.target.select()}
            onCopy={onCopied}
          />
        </Field>
        <CopyButton variant="primary" text={created.token} ariaLabel="Copy the key" onCopied={onCopied} />
      </div>
      <CodeBlock label="Try it now" code={smallCurl(baseUrl, created.token)} onCopied={onCopied} />
      {isConfirming ? (
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
          You have not copied it yet, and it cannot be shown again.
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
