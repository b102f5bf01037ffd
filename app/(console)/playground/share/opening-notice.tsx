"use client"
import { Alert } from "@/components/ui/alert"
import { Button } from "@/components/ui/button"
import { formatBalance } from "@/lib/shared/format"
import { shortText } from "@/lib/shared/long-runs"
import { useAccount, useDispatch, usePlayground } from "../model/playground-store"

export function OpeningNotice({ onRun }: { onRun: () => void }) {
  const { balanceUsd } = useAccount()
  const dispatch = useDispatch()
  const notice = usePlayground((state) => state.notice)
  const hasRun = usePlayground((state) => state.run.phase !== "idle")
  const close = () => dispatch({ type: "notice_closed" })
  if (notice === null) return null
  if (notice.kind === "topped_up")
    return (
      <Alert
        role="status"
        className="mb-4"
        title={`Your balance is ${formatBalance(balanceUsd)}`}
        action={<Buttons main="Run again" onMain={() => [close(), onRun()]} onClose={close} />}
      >
        Your draft is still here.
      </Alert>
    )
  const { unknownModel } = notice
  return (
    <Alert
      role="status"
      className="mb-4"
      title="The shared request is open"
      action={<Buttons main="Restore my draft" onMain={() => dispatch({ type: "notice_undone" })} onClose={close} />}
    >
      {hasRun
        ? "Your own draft is kept until you close this."
        : "It has not run. Read it first: a run is charged to your account."}
      {unknownModel === null
        ? null
        : ` Model ${shortText(unknownModel)} is not available on this service. Another model was selected.`}
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
