import { Alert } from "@/components/ui/alert"
import { LocalClock } from "@/components/ui/local-clock"
import { Time } from "@/components/ui/time"
import { formatSpan } from "@/lib/shared/format"
import { keyNotice } from "@/lib/shared/keys/key-view"
import type { KeySummary } from "@/lib/shared/keys/schema"
import { DuplicateKeyButton } from "../../_components/key-dialogs"

const Code = ({ children }: { children: string }) => (
  <span className="whitespace-nowrap font-mono text-sm">{children}</span>
)

/**
 * Explains why requests with this key are refused, or will be soon, and what to do. Renders nothing for a key without
 * problems.
 */
export function KeyRefusal({ entry }: { entry: KeySummary }) {
  switch (entry.status) {
    case "limit_reached":
      return entry.resetsAt ? <DailyReached resetsAt={entry.resetsAt} /> : <LifetimeReached entry={entry} />
    case "expired":
      return (
        <Alert tone="danger" title="This key has expired" action={<DuplicateKeyButton entry={entry} />}>
          It expired {entry.expiresAt ? <Time at={entry.expiresAt} as="minute" /> : null} UTC. Requests with it return
          401 <Code>invalid_api_key</Code>. Duplicate the key and use the new secret.
        </Alert>
      )
    case "paused":
      return (
        <Alert tone="warn" title="This key is paused">
          Requests with it return 401 <Code>invalid_api_key</Code> until someone resumes it below.
        </Alert>
      )
    case "revoked":
      return (
        <Alert title="This key is revoked">
          It was revoked {entry.revokedAt ? <Time at={entry.revokedAt} as="minute" /> : null} UTC. Requests with it
          return 401 <Code>invalid_api_key</Code>. Its usage stays available here.
        </Alert>
      )
    default:
      return <Warning entry={entry} />
  }
}

function DailyReached({ resetsAt }: { resetsAt: string }) {
  return (
    <Alert tone="danger" title="Daily limit reached" className="tabular-nums">
      Requests resume at 00:00 UTC (<LocalClock at={resetsAt} />
      ), in {formatSpan(Date.parse(resetsAt) - Date.now())}. Until then they return 402 <Code>key_limit_reached</Code>{" "}
      and cost nothing. Retrying sooner does not help.
    </Alert>
  )
}

function LifetimeReached({ entry }: { entry: KeySummary }) {
  return (
    <Alert tone="danger" title="Lifetime limit reached" action={<DuplicateKeyButton entry={entry} />}>
      A lifetime limit does not reset. Requests return 402 <Code>key_limit_reached</Code> and cost nothing. Create a new
      key.
    </Alert>
  )
}

function Warning({ entry }: { entry: KeySummary }) {
  const notice = keyNotice(entry, new Date())
  if (notice === "near_limit")
    return (
      <Alert tone="warn" title="At least 80% of the limit is spent">
        A request that could exceed the limit returns 402 <Code>key_limit_reached</Code>.{" "}
        {entry.period === "daily" ? "The limit resets at 00:00 UTC." : "A lifetime limit does not reset."}
      </Alert>
    )
  if (notice === "expires_soon" && entry.expiresAt)
    return (
      <Alert tone="warn" title="This key expires soon" action={<DuplicateKeyButton entry={entry} />}>
        It stops working on <Time at={entry.expiresAt} as="minute" /> UTC. Duplicate the key, switch to the new one,
        then revoke this one.
      </Alert>
    )
  return null
}
