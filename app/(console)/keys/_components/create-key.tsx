"use client"
import { Plus } from "lucide-react"
import { createContext, type ReactNode, useContext, useState } from "react"
import { Button } from "@/components/ui/button"
import { Dialog } from "@/components/ui/dialog"
import type { CreatedKey } from "@/lib/keys/schema"
import { CreateKeyForm } from "./create-key-form"
import { CreatedKeyView } from "./created-key-view"

const OpenContext = createContext<() => void>(() => {})

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
    <OpenContext value={() => setStep("form")}>
      {children}
      <Dialog
        open={step !== "closed"}
        onOpenChange={(open) => (open ? undefined : requestClose())}
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
    </OpenContext>
  )
}

/** Opens the dialog of the `CreateKeyProvider` around it. */
export function CreateKeyButton() {
  const open = useContext(OpenContext)
  return (
    <Button onClick={open}>
      <Plus aria-hidden className="size-4" />
      Create key
    </Button>
  )
}
