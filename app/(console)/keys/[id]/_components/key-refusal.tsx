import { Alert } from "@/components/ui/alert"
import { LocalClock } from "@/components/ui/local-clock"
import { Time } from "@/components/ui/time"
import { formatSpan } from "@/lib/shared/format"
import type { KeySummary } from "@/lib/shared/keys/schema"
import { keyNotice } from "@/lib/shared/keys/spend-part"
import { DuplicateKeyButton } from "../../_components/key-dialogs"

const Code = ({ children }: { children: string }) => (
  <span className="whitespace-nowrap font-mono text-sm">{children}</span>
)

/** Why requests with this key are refused, or soon will be, and what to do; nothing while all is well. */
export function KeyRefusal({ entry }: { entry: KeySummary }) {
  switch (entry.status) {
    case "limit_reached":
      return entry.resetsAt ? <DailyReached resetsAt={entry.resetsAt} /> : <LifetimeReached entry={entry} />
    case "expired":
      return (
        <Alert tone="danger" title="This key has expired" action={<DuplicateKeyButton entry={entry} />}>
          It ended {entry.expiresAt ? <Time at={entry.expiresAt} as="minute" /> : "on its day"} UTC. Requests with it
          get 401 <Code>invalid_api_key</Code>. Duplicate it and use the new secret.
        </Alert>
      )
    case "revoked":
      return (
        <Alert title="This key is revoked">
          It was revoked {entry.revokedAt ? <Time at={entry.revokedAt} as="minute" /> : null} UTC. Requests with it get
          401 <Code>invalid_api_key</Code>. What it spent stays here.
        </Alert>
      )
    default:
      return <Soon entry={entry} />
  }
}

function DailyReached({ resetsAt }: { resetsAt: string }) {
  return (
    <Alert tone="danger" title="Daily limit reached" className="tabular-nums">
      Requests resume at 00:00 UTC (<LocalClock at={resetsAt} />
      ), in {formatSpan(Date.parse(resetsAt) - Date.now())}. Until then they get 402 <Code>key_limit_reached</Code> and
      cost nothing; sending them again sooner does not help.
    </Alert>
  )
}

function LifetimeReached({ entry }: { entry: KeySummary }) {
  return (
    <Alert tone="danger" title="Limit reached" action={<DuplicateKeyButton entry={entry} />}>
      A lifetime limit does not start again: requests get 402 <Code>key_limit_reached</Code> and cost nothing. Create a
      new key.
    </Alert>
  )
}

function Soon({ entry }: { entry: KeySummary }) {
  const notice = keyNotice(entry, new Date())
  if (notice === "near_limit")
    return (
      <Alert tone="warn" title="More than four fifths of the limit are spent">
        A request whose cost would go past it gets 402 <Code>key_limit_reached</Code>.{" "}
        {entry.period === "daily" ? "The limit starts again at 00:00 UTC." : "A lifetime limit does not start again."}
      </Alert>
    )
  if (notice === "expires_soon" && entry.expiresAt)
    return (
      <Alert tone="warn" title="This key expires soon" action={<DuplicateKeyButton entry={entry} />}>
        It stops working <Time at={entry.expiresAt} as="minute" /> UTC. Duplicate it, move over, then revoke this one.
      </Alert>
    )
  return null
}
