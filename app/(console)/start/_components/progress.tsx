"use client"
import { Button } from "@/components/ui/button"
import { TextLink } from "@/components/ui/text-link"
import { announceAnswerRead, useFirstSteps } from "../../_components/first-steps/first-steps"

export function VisibilityButton() {
  const context = useFirstSteps()
  if (!context) return null
  const { steps, mark } = context
  return (
    <Button variant="secondary" size="sm" onClick={() => mark(steps.isHidden ? "shown" : "hidden")}>
      {steps.isHidden ? "Show in the menu" : "Hide from the menu"}
    </Button>
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
