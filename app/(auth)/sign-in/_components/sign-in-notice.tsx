import { Support } from "@/components/site/support"
import { Alert } from "@/components/ui/alert"
import { LINK_MINUTES } from "@/lib/shared/auth/link-minutes"

interface SignInNoticeProps {
  /** The `problem` query parameter. Unknown values show nothing. */
  kind: unknown
  retryAtMs?: number
  ways: { link: boolean; oidc: boolean }
  /** The name of the OpenID provider. */
  provider: string
}

function waitText(retryAtMs: number | undefined): string {
  const minutes = Math.ceil(((retryAtMs ?? 0) - Date.now()) / 60_000)
  return minutes > 0
    ? `Try again in ${minutes} min, or sign in now from another network or from a browser that you have used here before.`
    : "You can try again now."
}

interface ProviderText {
  tone: "ok" | "warn" | "danger"
  title: string
  text: string
}

/** What the page says after a sign-in with the OpenID provider, by the `problem` query parameter. */
const OF_PROVIDER = {
  oidc_unreachable: {
    tone: "danger",
    title: "NAME cannot be reached",
    text: "Your sign-in there did not begin. Try again in a minute.",
  },
  oidc_limit: {
    tone: "warn",
    title: "Too many sign-ins",
    text: "Your network signed in too often. Try again in a second.",
  },
  oidc_denied: { tone: "warn", title: "You are not signed in", text: "NAME did not complete the sign-in. Try again." },
  oidc_failed: {
    tone: "danger",
    title: "Sign-in with NAME failed",
    text: "Its reply was not valid, was used before or took more than ten minutes, or you were logged out there meanwhile. Try again.",
  },
  unverified: {
    tone: "warn",
    title: "Your address is not verified",
    text: "NAME does not confirm that your e-mail address is yours. Verify it there, then sign in again.",
  },
  linking: {
    tone: "ok",
    title: "Check your e-mail",
    text: "A user with your address exists. We sent a link to the address. Open it in this browser to sign in with NAME from now on.",
  },
  linking_limit: {
    tone: "warn",
    title: "Too many e-mails today",
    text: "A user with your address exists. We sent as many links to the address as we may in a day. Try again tomorrow.",
  },
  linked: { tone: "ok", title: "Confirmed", text: "You can now sign in with NAME." },
  not_linked: {
    tone: "warn",
    title: "This link does not work here",
    text: "It works once, for 10 minutes, and only in the browser in which you signed in with NAME. Sign in with NAME again to get a new one.",
  },
} satisfies Record<string, ProviderText>

function ProviderNotice({
  kind,
  ways,
  provider,
}: { kind: keyof typeof OF_PROVIDER } & Omit<SignInNoticeProps, "kind">) {
  const { tone, title, text } = OF_PROVIDER[kind]
  const named = (template: string) => template.replaceAll("NAME", () => provider)
  return (
    <Alert tone={tone} role={tone === "ok" ? "status" : "alert"} title={named(title)}>
      {named(text)}
      {ways.link && kind !== "linking" && kind !== "linked" ? " You can also sign in by e-mail." : ""}
    </Alert>
  )
}

/** Says why a sign-in failed, or what the user has just done: confirmed, closed the account or deleted the user. */
export function SignInNotice({ kind, retryAtMs, ways, provider }: SignInNoticeProps) {
  if (ways.oidc && typeof kind === "string" && Object.hasOwn(OF_PROVIDER, kind))
    return <ProviderNotice kind={kind as keyof typeof OF_PROVIDER} ways={ways} provider={provider} />
  switch (kind) {
    case "link":
      return (
        <Alert tone="warn" role="alert" title="This link no longer works">
          {ways.link
            ? `A sign-in link works once and for ${LINK_MINUTES} minutes, and only your three newest links are valid. Request a new one below.`
            : `A link works once and for ${LINK_MINUTES} minutes. Request a new one in the browser where you started.`}
        </Alert>
      )
    case "sign_up":
      return (
        <Alert tone="warn" role="alert" title="This address cannot sign up">
          This service does not accept your address as a new user. Ask for an invitation, or contact <Support />.
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
