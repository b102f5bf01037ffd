"use client"
import { useState } from "react"
import { Button } from "@/components/ui/button"
import { endSessionAction } from "../actions"

/** Ends one other session. What was refused stands in place of the button's label until it is pressed again. */
export function EndSession({ id, name }: { id: string; name: string }) {
  const [pending, setPending] = useState(false)
  const [failed, setFailed] = useState<string | null>(null)
  const end = async () => {
    setPending(true)
    const result = await endSessionAction({ id }).catch(() => null)
    setPending(false)
    if (result?.ok) document.getElementById("sessions")?.focus()
    else setFailed(result?.error.message ?? "The server did not answer. Try again.")
  }
  return (
    <span className="inline-flex flex-wrap items-center justify-end gap-2">
      {failed ? (
        <span role="alert" className="whitespace-normal text-danger text-sm">
          {failed}
        </span>
      ) : null}
      <Button
        variant="secondary"
        size="sm"
        aria-label={`Sign out ${name}`}
        pending={pending}
        pendingLabel="Signing out…"
        onClick={end}
      >
        Sign out
      </Button>
    </span>
  )
}
