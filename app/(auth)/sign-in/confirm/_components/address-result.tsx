import { LinkButton } from "@/components/ui/link-button"
import { AuthHeading } from "../../../_components/auth-heading"

const RESULTS: Record<string, { title: string; text: string }> = {
  half: {
    title: "One address is confirmed",
    text: "Now open the link that we mailed to the other address. Nothing changes until both are confirmed.",
  },
  changed: {
    title: "Your address was changed",
    text: "Sign in with the new address from now on. Browsers that are signed in stay signed in.",
  },
  taken: {
    title: "This address has a user already",
    text: "Nothing was changed. Sign in with that address and delete its user first, or choose another address.",
  },
  invalid_link: {
    title: "This link no longer works",
    text: "A link works for an hour, or until the change is cancelled or another one is requested. Nothing was changed.",
  },
}

/** Shows what the confirmation of an address did. Unknown results look like a link that no longer works. */
export function AddressResult({ result }: { result: string }) {
  const { title, text } = RESULTS[result] ?? { title: "This link no longer works", text: "Nothing was changed." }
  return (
    <>
      <AuthHeading title={title}>{text}</AuthHeading>
      <LinkButton href="/settings" variant="secondary" className="self-start">
        Open settings
      </LinkButton>
    </>
  )
}
