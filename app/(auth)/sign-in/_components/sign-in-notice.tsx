import { Support } from "@/components/site/support"
import { Alert } from "@/components/ui/alert"
import { LINK_MINUTES } from "@/lib/shared/auth/link-minutes"

interface SignInNoticeProps {
  /** The `problem` query parameter. Unknown values show nothing. */
  kind: unknown
  retryAtMs?: number
}

function waitText(retryAtMs: number | undefined): string {
  const minutes = Math.ceil(((retryAtMs ?? 0) - Date.now()) / 60_000)
  return minutes > 0
    ? `Try again in ${minutes} min, or sign in now from another network or from a browser that you have used here before.`
    : "You can try again now."
}

/** Says why a sign-in failed, or what the user has just done: confirmed, closed the account or deleted the user. */
export function SignInNotice({ kind, retryAtMs }: SignInNoticeProps) {
  switch (kind) {
    case "link":
      return (
        <Alert tone="warn" role="alert" title="This link no longer works">
          A sign-in link works once and for {LINK_MINUTES} minutes, and only your three newest links are valid. Request
          a new one below.
        </Alert>
      )
    case "sign_up":
      return (
        <Alert tone="warn" role="alert" title="This address cannot sign up">
          Since the link was sent, this service has stopped accepting your address as a new user. Ask for an invitation,
          or contact <Support />.
        </Alert>
      )
    case "limit":
      return (
        <Alert tone="warn" role="alert" title="Too many sign-in links">
          Too many links were requested from your network in the past hour. {waitText(retryAtMs)}
        </Alert>
      )
    case "confirmed":
      return (
        <Alert tone="ok" role="status" title="Confirmed">
          Go back to the browser where you started, and continue there.
        </Alert>
      )
    case "closed":
      return (
        <Alert tone="ok" role="status" title="The account was closed">
          Its API keys are refused. You can still sign in: to your other accounts, or to a new one.
        </Alert>
      )
    case "deleted":
      return (
        <Alert tone="ok" role="status" title="Your user was deleted">
          You are signed out everywhere, and this browser keeps nothing. If you sign in again, it is as a new user.
        </Alert>
      )
    case "suspended":
      return (
        <Alert tone="danger" role="alert" title="This account is suspended">
          You cannot sign in, and its API keys are refused. Contact <Support />.
        </Alert>
      )
    case "mail":
      return (
        <Alert tone="danger" role="alert" title="We could not send the e-mail">
          The mail server did not accept it. Try again in a minute.
        </Alert>
      )
    case "failed":
      return (
        <Alert tone="danger" role="alert" title="Sign-in failed on our side">
          The link may no longer work. Request a new one below.
        </Alert>
      )
    default:
      return null
  }
}
