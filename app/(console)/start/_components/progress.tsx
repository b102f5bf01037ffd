"use client"
import { ActionButton } from "@/components/form/action-button"
import { TextLink } from "@/components/ui/text-link"
import { markFirstStepsAction } from "../../_components/first-steps/actions"
import { announceAnswerRead, useFirstSteps } from "../../_components/first-steps/first-steps"

export function VisibilityButton() {
  const context = useFirstSteps()
  if (!context) return null
  const { isHidden } = context.steps
  return (
    <ActionButton
      action={markFirstStepsAction}
      input={isHidden ? "shown" : "hidden"}
      pendingLabel={isHidden ? "Showing…" : "Hiding…"}
      size="sm"
    >
      {isHidden ? "Show in the menu" : "Hide from the menu"}
    </ActionButton>
  )
}

export function RequestStatus() {
  const isAnswered = useFirstSteps()?.steps.decisionSent ?? false
  return (
    <p role="status" className="text-ink-muted">
      {isAnswered ? (
        <>
          Your request was answered. See it under <TextLink href="/requests">Requests</TextLink>.
        </>
      ) : (
        "Waiting for your first request. This page updates automatically."
      )}
    </p>
  )
}

/** Links to the explanation of an answer. Following it completes the last step once there is an answer. */
export function ReadLink() {
  const isAnswered = useFirstSteps()?.steps.decisionSent ?? false
  return (
    <TextLink href="/docs/quickstart#read-the-answer" onClick={isAnswered ? announceAnswerRead : undefined}>
      quickstart
    </TextLink>
  )
}
