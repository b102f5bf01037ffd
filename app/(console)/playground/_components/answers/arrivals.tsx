"use client"
import { useEffect, useRef, useState } from "react"
import { Alert } from "@/components/ui/alert"
import { Button } from "@/components/ui/button"
import { checkRequest } from "@/lib/shared/decisions/check-request"
import { formatUsd } from "@/lib/shared/format"
import type { ModelChoice } from "@/lib/shared/playground/model-choice"
import { takeHandover } from "@/lib/shared/playground/share/handover"
import { takeTopUp } from "./top-up-return"
import { type Opened, useOpenRequest } from "./use-open-request"

interface ArrivalsProps {
  accountId: string
  balanceUsd: string
  models: ModelChoice[]
  /** True once the draft is back. */
  ready: boolean
  onRun: () => void
}

type Said = { what: "nothing" } | { what: "topped_up" } | ({ what: "shared" } & Opened)

/** Says what a visit begins with: a request that was shared, or the way back from a top-up. Neither runs by itself. */
export function Arrivals({ accountId, balanceUsd, models, ready, onRun }: ArrivalsProps) {
  const [said, setSaid] = useState<Said>({ what: "nothing" })
  const open = useOpenRequest(models)
  const arrived = useRef(false)
  useEffect(() => {
    if (!ready || arrived.current) return
    arrived.current = true
    const shared = takeHandover()
    const checked = shared === null ? null : checkRequest(new TextEncoder().encode(shared))
    if (shared && checked?.ok) setSaid({ what: "shared", ...open(shared, checked.request.model) })
    else if (takeTopUp(accountId)) setSaid({ what: "topped_up" })
  }, [ready, accountId, open])
  const close = () => setSaid({ what: "nothing" })
  if (said.what === "nothing") return null
  if (said.what === "topped_up")
    return (
      <Alert
        role="status"
        className="mb-4"
        title={`Your balance is ${formatUsd(balanceUsd)}`}
        action={<Buttons main="Run again" onMain={() => [close(), onRun()]} onClose={close} />}
      >
        What you typed is still here.
      </Alert>
    )
  return (
    <Alert
      role="status"
      className="mb-4"
      title="The shared request is open"
      action={<Buttons main="Bring my draft back" onMain={() => [said.undo(), close()]} onClose={close} />}
    >
      Nothing has been run. Read it first: a run is charged to your account.
      {said.unknownModel === null ? null : ` It asks ${said.unknownModel}, which is not here; another model is chosen.`}
    </Alert>
  )
}

interface ButtonsProps {
  main: string
  onMain: () => void
  onClose: () => void
}

function Buttons({ main, onMain, onClose }: ButtonsProps) {
  return (
    <span className="flex gap-2">
      <Button variant="secondary" size="sm" onClick={onMain}>
        {main}
      </Button>
      <Button variant="quiet" size="sm" onClick={onClose}>
        Close
      </Button>
    </span>
  )
}
