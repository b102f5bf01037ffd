"use client"
import { Button } from "@/components/ui/button"
import { useFirstSteps } from "./first-steps-provider"

/** Puts the steps away from the menu, or fetches them back. */
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
