"use client"
import { useAction } from "@/components/form/call-action"
import { Alert } from "@/components/ui/alert"
import { Button } from "@/components/ui/button"
import { Time } from "@/components/ui/time"
import type { KeySummary, OldSecret as Old } from "@/lib/shared/keys/schema"
import { ConfirmOrError } from "../../../_components/confirm/confirm-or-error"
import { endOldSecretAction } from "../../actions"

function LastUse({ masked, at }: { masked: string | null; at: string | null }) {
  return (
    <li>
      <span className="font-mono text-sm">{masked}</span>{" "}
      {at ? (
        <>
          was last used <Time at={at} />
        </>
      ) : (
        "was not used yet"
      )}
    </li>
  )
}

/** Shows both secrets of a key while its old one works, and ends the old one. */
export function OldSecret({ entry, old, mayManage }: { entry: KeySummary; old: Old; mayManage: boolean }) {
  const { run, error, pending } = useAction(endOldSecretAction)
  return (
    <Alert
      tone="warn"
      title="Two secrets work"
      action={
        mayManage ? (
          <Button variant="secondary" pending={pending} pendingLabel="Ending…" onClick={() => run({ id: entry.id })}>
            End old secret
          </Button>
        ) : undefined
      }
    >
      The old secret works until <Time at={old.until} as="minute" /> UTC. Requests with it are then refused.
      <ul className="mt-1">
        <LastUse masked={old.masked} at={old.lastUsedAt} />
        <LastUse masked={entry.masked} at={old.newUsedAt} />
      </ul>
      <ConfirmOrError error={error} submitLabel="End old secret" />
    </Alert>
  )
}
