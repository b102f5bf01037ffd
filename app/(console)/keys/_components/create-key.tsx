"use client"
import { Plus } from "lucide-react"
import { createContext, type ReactNode, type RefObject, useContext, useRef, useState } from "react"
import { Button } from "@/components/ui/button"
import { Dialog } from "@/components/ui/dialog"
import type { CreatedKey } from "@/lib/keys/schema"
import { CreateKeyForm } from "./create-key-form"
import { CreatedKeyView } from "./created-key-view"

interface Opener {
  open: () => void
  /** The button on the page: the first key moves it from the empty state to the page's head. */
  button: RefObject<HTMLButtonElement | null>
}

const OpenerContext = createContext<Opener | null>(null)

interface CreateKeyProviderProps {
  baseUrl: string
  children: ReactNode
}

type Step = "closed" | "form" | "created"

/**
 * Holds the dialog above the page's content: the list and its empty state come and go as keys are made, and the secret, which
 * lives only in this state, must outlast that. Closing clears it.
 */
export function CreateKeyProvider({ baseUrl, children }: CreateKeyProviderProps) {
  const [step, setStep] = useState<Step>("closed")
  const [created, setCreated] = useState<CreatedKey | null>(null)
  const [pending, setPending] = useState(false)
  const [copied, setCopied] = useState(false)
  const [asks, setAsks] = useState(false)
  const button = useRef<HTMLButtonElement>(null)

  const close = () => {
    setStep("closed")
    setCreated(null)
    setCopied(false)
    setAsks(false)
  }
  // A key on its way would be lost unseen, and one not copied yet is asked about once.
  const requestClose = () => {
    if (pending) return
    if (created && !copied && !asks) setAsks(true)
    else close()
  }
  const show = (key: CreatedKey) => {
    setCreated(key)
    setStep("created")
  }

  return (
    <OpenerContext value={{ open: () => setStep("form"), button }}>
      {children}
      <Dialog
        open={step !== "closed"}
        onOpenChange={(open) => (open ? undefined : requestClose())}
        finalFocus={button}
        title={created ? "API key created" : "Create key"}
        description={created ? "Copy it now, you won't be able to see it again." : undefined}
      >
        {created ? (
          <CreatedKeyView
            created={created}
            baseUrl={baseUrl}
            asks={asks}
            onCopied={() => {
              setCopied(true)
              setAsks(false)
            }}
            onKeepOpen={() => setAsks(false)}
            onDone={requestClose}
          />
        ) : (
          <CreateKeyForm onPending={setPending} onCreated={show} onCancel={requestClose} />
        )}
      </Dialog>
    </OpenerContext>
  )
}

/** Opens the dialog of the `CreateKeyProvider` around it. */
export function CreateKeyButton() {
  const opener = useContext(OpenerContext)
  return (
    <Button ref={opener?.button} onClick={opener?.open}>
      <Plus aria-hidden className="size-4" />
      Create key
    </Button>
  )
}
