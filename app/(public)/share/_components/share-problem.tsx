import { Alert } from "@/components/ui/alert"
import { LinkButton } from "@/components/ui/link-button"
import type { ShareFault } from "@/lib/shared/playground/share/share-link"

const WORDS: Record<ShareFault, { title: string; text: string }> = {
  empty: {
    title: "There is nothing in this link",
    text: "What is shared stands after the # of a link. Ask for the whole link again.",
  },
  version: {
    title: "This link is of another version",
    text: "It was made by a newer console than this one. Open it where it was made.",
  },
  damaged: {
    title: "This link is damaged",
    text: "A part of it is missing or was changed on the way; mail and chat programs may cut long links. Ask for it again.",
  },
  too_large: {
    title: "This link holds too much",
    text: "It is longer than a shared request may be, so it was not opened.",
  },
  not_a_request: {
    title: "This link holds no valid request",
    text: "What it holds is not something that the API would take, so it is not shown.",
  },
}

/** Why a link shows nothing, and what to do. */
export function ShareProblem({ why }: { why: ShareFault }) {
  const { title, text } = WORDS[why]
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
