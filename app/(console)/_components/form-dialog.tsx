"use client"
import { lazy, Suspense, useLayoutEffect, useRef, useState } from "react"
import type { FieldValues } from "react-hook-form"
import { preloadOnApproach } from "@/components/timing/after-paint"
import type { FormDialogProps, FormDialogView as View } from "./form-dialog-view"

// Dialog and forms load on demand, so pages do not wait for them.
const load = () => import("./form-dialog-view")
/** The type of a lazy component would lose the type parameters. */
const FormDialogView = lazy(async () => ({ default: (await load()).FormDialogView })) as unknown as typeof View

/** Props for the button that opens a `FormDialog`. They load the dialog's code when the pointer or focus arrives. */
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

/**
 * Returns a function that finds the element to focus after closing: `opener`, or what had the focus. If that is gone, it
 * returns the page's content.
 */
export function useFocusAfter(open: boolean, opener: HTMLElement | null | undefined): () => HTMLElement | null {
  const origin = useRef<Element | null>(null)
  useLayoutEffect(() => {
    if (open) origin.current = opener ?? document.activeElement
  }, [open, opener])
  return () => {
    const before = origin.current
    return before instanceof HTMLElement && before.isConnected ? before : document.getElementById("content")
  }
}
