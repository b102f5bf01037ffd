"use client"
import { lazy, Suspense, useLayoutEffect, useRef, useState } from "react"
import type { FieldValues } from "react-hook-form"
import { preloadOnApproach } from "@/components/timing/after-paint"
import type { FormDialogProps, FormDialogView as View } from "./form-dialog-view"

// Dialog and forms load on demand, so pages do not wait for them.
const load = () => import("./form-dialog-view")
/** The type of a lazy component would lose the type parameters. */
const FormDialogView = lazy(async () => ({ default: (await load()).FormDialogView })) as unknown as typeof View

/** Props for a button that opens a `FormDialog`: its code loads when the pointer or the focus arrives. */
export const preloadFormDialog = preloadOnApproach(load)

/** Shows one change as a form in a dialog, and keeps the input after an error. `onDone` must close the dialog. */
export function FormDialog<Typed extends FieldValues, Parsed, Data>({
  opener,
  ...props
}: FormDialogProps<Typed, Parsed, Data>) {
  const focusAfter = useFocusAfter(props.open, opener)
  // The dialog stays mounted after the first opening, so that it can fade out.
  const [wasOpened, setOpened] = useState(props.open)
  if (props.open && !wasOpened) setOpened(true)
  if (!wasOpened) return null
  return (
    <Suspense>
      <FormDialogView {...props} finalFocus={focusAfter} />
    </Suspense>
  )
}

/** Returns a function that finds the focus target after closing: `by` or the element that had the focus, else the page if that is gone. */
export function useFocusAfter(open: boolean, by: HTMLElement | null | undefined): () => HTMLElement | null {
  const opener = useRef<Element | null>(null)
  useLayoutEffect(() => {
    if (open) opener.current = by ?? document.activeElement
  }, [open, by])
  return () => {
    const before = opener.current
    return before instanceof HTMLElement && before.isConnected ? before : document.getElementById("content")
  }
}
