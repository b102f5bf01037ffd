import { Alert } from "@/components/ui/alert"
import { LinkButton } from "@/components/ui/link-button"
import type { ShareFault } from "@/lib/shared/share-link/share-link"

const PROBLEMS: Record<ShareFault, { title: string; text: string }> = {
  empty: {
    title: "This link is empty",
    text: "The part after the # is missing. Ask the sender for the complete link.",
  },
  version: {
    title: "This link needs a newer version",
    text: "A newer version of this service created the link. Open it on the site that created it.",
  },
  damaged: {
    title: "This link is damaged",
    text: "A part of it is missing or was changed. Mail and chat programs may cut off long links. Ask the sender for the complete link.",
  },
  too_large: {
    title: "This link is too large",
    text: "It exceeds the size limit of shared requests. Ask the sender for the request as a JSON file.",
  },
  not_a_request: {
    title: "This link has no valid request",
    text: "The API would refuse the content of the link, so it is not shown. Ask the sender for a new link.",
  },
}

/** Explains why a shared request cannot be opened, and what to do. */
export function ShareProblem({ why }: { why: ShareFault }) {
  const { title, text } = PROBLEMS[why]
  return (
    <Alert
      tone="warn"
      role="alert"
      title={title}
      className="max-w-text"
      action={
        <LinkButton href="/playground" variant="secondary" size="sm">
          Open the playground
        </LinkButton>
      }
    >
      {text}
    </Alert>
  )
}
