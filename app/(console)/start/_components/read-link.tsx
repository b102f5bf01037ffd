"use client"
import { TextLink } from "@/components/ui/text-link"
import { announceAnswerRead } from "../../_components/first-steps/answer-read"
import { useFirstSteps } from "../../_components/first-steps/first-steps-provider"

/** Leads to what the numbers mean; with an answer at hand that is the third step. */
export function ReadLink() {
  const sent = useFirstSteps()?.steps.decisionSent ?? false
  return (
    <TextLink href="/docs/quickstart#read-the-answer" onClick={sent ? announceAnswerRead : undefined}>
      quickstart
    </TextLink>
  )
}
