import { Alert } from "@/components/ui/alert"

interface ProblemProps {
  /** What the address bar says; anything unknown is no problem. */
  kind: unknown
  retryAtMs?: number
}

function waitText(retryAtMs: number | undefined): string {
  const minutes = Math.ceil(((retryAtMs ?? 0) - Date.now()) / 60_000)
  return minutes > 0
    ? `Try again in ${minutes} min. From another network, or in a browser where you signed in before, it may work at once.`
    : "You can try again now."
}

/** Why the last attempt did not work and what to do next. */
export function Problem({ kind, retryAtMs }: ProblemProps) {
  switch (kind) {
    case "link":
      return (
        <Alert tone="warn" role="alert" title="That link does not work any more">
          A link works once, for 10 minutes, and only the newest three count. Ask for a new one below.
        </Alert>
      )
    case "limit":
      return (
        <Alert tone="warn" role="alert" title="Too many sign-in links">
          This network has used up its links for this hour. {waitText(retryAtMs)}
        </Alert>
      )
    case "mail":
      return (
        <Alert tone="danger" role="alert" title="The message could not be sent">
          The mail server did not take it. Try again in a minute.
        </Alert>
      )
    case "failed":
      return (
        <Alert tone="danger" role="alert" title="Signing in failed on our side">
          The link may be used up now. Ask for a new one below.
        </Alert>
      )
    default:
      return null
  }
}
