"use client"
import { TextLink } from "@/components/ui/text-link"
import { useFirstSteps } from "../../_components/first-steps/first-steps-provider"

/** Says whether an answered request has been seen yet, and where it stands then. */
export function Waiting() {
  const steps = useFirstSteps()?.steps
  return (
    <p role="status" className="text-ink-muted">
      {steps?.decisionSent ? (
        <>
          Answered and charged. It is in the log under <TextLink href="/usage">Usage</TextLink>.
        </>
      ) : (
        "Waiting for the first answered request. This line changes by itself."
      )}
    </p>
  )
}
