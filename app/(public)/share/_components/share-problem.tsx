import { Alert } from "@/components/ui/alert"
import { LinkButton } from "@/components/ui/link-button"
import type { ShareFault } from "@/lib/shared/share-link/share-link"

const PROBLEMS: Record<ShareFault, { title: string; text: string }> = {
  empty: {
    title: "This link is empty",
    text: "The part after the # is missing. Ask for the complete link.",
  },
  version: {
    title: "This link needs a newer version",
    text: "A newer version of the service created it. Open it there.",
  },
  damaged: {
    title: "This link is damaged",
    text: "A part of it is missing or was changed. Mail and chat programs may cut off long links. Ask for it again.",
  },
  too_large: {
    title: "This link is too large",
    text: "It exceeds the size limit of shared requests, so it was not opened.",
  },
  not_a_request: {
    title: "This link has no valid request",
    text: "The API would refuse its content, so it is not shown.",
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
