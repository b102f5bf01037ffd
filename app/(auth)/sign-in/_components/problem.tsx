import { Alert } from "@/components/ui/alert"

interface ProblemProps {
  /** The `problem` of the query. Unknown values show nothing. */
  kind: unknown
  retryAtMs?: number
}

function waitText(retryAtMs: number | undefined): string {
  const minutes = Math.ceil(((retryAtMs ?? 0) - Date.now()) / 60_000)
  return minutes > 0
    ? `Try again in ${minutes} min. It may work at once from another network, or in a browser where you signed in before.`
    : "You can try again now."
}

/** Explains why the last attempt failed and what to do next. */
export function Problem({ kind, retryAtMs }: ProblemProps) {
  switch (kind) {
    case "link":
      return (
        <Alert tone="warn" role="alert" title="This link no longer works">
          A link works once, for 10 minutes, and only the newest three links are valid. Request a new one below.
        </Alert>
      )
    case "limit":
      return (
        <Alert tone="warn" role="alert" title="Too many sign-in links">
          This network has reached its hourly limit of sign-in links. {waitText(retryAtMs)}
        </Alert>
      )
    case "mail":
      return (
        <Alert tone="danger" role="alert" title="The e-mail could not be sent">
          The mail server did not accept it. Try again in a minute.
        </Alert>
      )
    case "failed":
      return (
        <Alert tone="danger" role="alert" title="Signing in failed on our side">
          The link may no longer work. Request a new one below.
        </Alert>
      )
    default:
      return null
  }
}
