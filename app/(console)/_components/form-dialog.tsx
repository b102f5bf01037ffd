"use client"
import { Fragment, lazy, type ReactNode, Suspense, useState } from "react"
import type { FieldValues } from "react-hook-form"
import { PendingPress } from "@/components/link/pending-press"
import { preloadOnApproach } from "@/components/timing/after-paint"
import { sayDone } from "@/components/ui/toast-host"
import type { DialogForm, FormDialogView as View } from "./form-dialog-view"

// Dialog and forms load on demand, so pages do not wait for them.
const load = () => import("./form-dialog-view")
/** The type of a lazy component would lose the type parameters. */
const FormDialogView = lazy(async () => ({ default: (await load()).FormDialogView })) as unknown as typeof View

/** Props for the button that opens a form. They load the dialog's code when the pointer or focus arrives. */
export const preloadFormDialog = preloadOnApproach(load)

/** Returns its argument. It gives the form's functions the types of its action. */
export const dialogForm = <Typed extends FieldValues, Parsed, Data>(form: DialogForm<Typed, Parsed, Data>) => form

interface Shown {
  /** Each opening starts with an empty form, also while the dialog before it fades out. */
  opening: number
  isOpen: boolean
  render: (isOpen: boolean) => ReactNode
}

/**
 * Shows forms in a dialog, one at a time. `show` opens one, and returns the focus to `opener`, by default the element that has it. The
 * component renders `dialog`. A toast says what was done.
 */
export function useFormDialog() {
  const [shown, setShown] = useState<Shown | null>(null)
  const close = () => setShown((now) => now && { ...now, isOpen: false })
  const show = <Typed extends FieldValues, Parsed, Data>(
    form: DialogForm<Typed, Parsed, Data>,
    opener: Element | null = document.activeElement,
  ) => {
    let isDone = false
    const finish = (data: Data) => {
      isDone = true
      close()
      const done = typeof form.done === "function" ? form.done(data) : form.done
      if (done) sayDone(done)
      form.onDone?.(data)
    }
    const finalFocus = () => {
      const isThere = opener instanceof HTMLElement && opener.isConnected
      return (isDone && form.focusAfter?.()) || (isThere ? opener : document.getElementById("content"))
    }
    setShown((before) => ({
      opening: (before?.opening ?? 0) + 1,
      isOpen: true,
      render: (isOpen) => (
        <FormDialogView {...form} open={isOpen} onClose={close} onDone={finish} finalFocus={finalFocus} />
      ),
    }))
  }
  return {
    show,
    dialog: shown ? (
      <Suspense fallback={<PendingPress />}>
        <Fragment key={shown.opening}>{shown.render(shown.isOpen)}</Fragment>
      </Suspense>
    ) : null,
  }
}
