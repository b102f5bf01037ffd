"use client"
import { Toast } from "@base-ui/react/toast"
import { CircleCheck, X } from "lucide-react"
import { useEffect, useRef } from "react"

const TIMEOUT_MS = 6_000

/** A toast needs no answer, so it is not the dialog that Base UI makes it. */
const STATUS = { role: "status", "aria-modal": undefined }

/** Shows the texts of a `ToastHost`, which loads this module on demand. They stay while the pointer or the focus is on them. */
export function ToastList({ said }: { said: readonly string[] }) {
  return (
    <Toast.Provider timeout={TIMEOUT_MS}>
      <Toast.Portal>
        <Toast.Viewport className="fixed inset-x-4 top-4 z-60 flex flex-col gap-2 sm:inset-x-auto sm:top-auto sm:right-6 sm:bottom-6 sm:w-80 print:hidden">
          <Toasts said={said} />
        </Toast.Viewport>
      </Toast.Portal>
    </Toast.Provider>
  )
}

function Toasts({ said }: { said: readonly string[] }) {
  const { toasts, add } = Toast.useToastManager()
  const shownCount = useRef(0)
  useEffect(() => {
    for (const text of said.slice(shownCount.current)) add({ description: text })
    shownCount.current = said.length
  }, [said, add])
  return toasts.map((toast) => (
    <Toast.Root
      key={toast.id}
      toast={toast}
      {...STATUS}
      className="rounded-md border border-line bg-surface text-ink shadow-float transition-opacity duration-150 data-ending-style:opacity-0 data-starting-style:opacity-0"
    >
      <Toast.Content className="flex items-start gap-2.5 py-2 pr-1 pl-3">
        <CircleCheck aria-hidden className="mt-1.5 size-4 shrink-0 text-ok" />
        <Toast.Description className="min-w-0 flex-1 break-words py-1" />
        <Toast.Close
          aria-label="Dismiss"
          // Base UI hides it until the pointer or the focus is on the toasts. Keyboards could focus what is hidden.
          aria-hidden={false}
          className="inline-flex size-7 shrink-0 items-center justify-center rounded-md text-ink-muted hover:bg-sunken hover:text-ink pointer-coarse:size-11"
        >
          <X aria-hidden className="size-4" />
        </Toast.Close>
      </Toast.Content>
    </Toast.Root>
  ))
}
