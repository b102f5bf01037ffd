"use client"
import { useEffect, useMemo, useState } from "react"
import { runInSlices } from "@/components/timing/run-in-slices"
import { Alert } from "@/components/ui/alert"
import { Button } from "@/components/ui/button"
import {
  type Automatable,
  type Found,
  type Goal,
  searchReachableGoal,
  TARGETS,
  targetOf,
  unprovedText,
} from "@/lib/shared/evaluate/figures/automation"
import { formatShare } from "@/lib/shared/evaluate/figures/figure-text"
import { passChances, passChancesText } from "@/lib/shared/evaluate/figures/more-rows"
import { useOpenSet } from "../../model/open-set"

interface NotProvedProps {
  automatable: Automatable
  goal: Goal
  unproved: Found["unproved"]
  /** How many rows count. */
  rows: number
  onGoal: (goal: Goal) => void
}

/** Returns the nearest targets that the rows reach, null when there are none, and undefined while they are searched. */
function useReachable(automatable: Automatable, goal: Goal): Goal | null | undefined {
  const [found, setFound] = useState<{ automatable: Automatable; goal: Goal; reachable: Goal | null } | null>(null)
  useEffect(() => {
    const controller = new AbortController()
    void runInSlices(searchReachableGoal(automatable, goal), controller.signal).then(
      (reachable) => reachable !== undefined && setFound({ automatable, goal, reachable }),
    )
    return () => controller.abort()
  }, [automatable, goal])
  return found?.automatable === automatable && found.goal === goal ? found.reachable : undefined
}

/** Explains which claims are not made, how likely more rows make them, and offers the nearest targets that these rows reach. */
export function NotProved({ automatable, goal, unproved, rows, onGoal }: NotProvedProps) {
  const reachable = useReachable(automatable, goal)
  const raised = reachable && unproved.filter(({ subject }) => targetOf(reachable, subject) !== targetOf(goal, subject))
  const targets = raised?.map(({ subject }) => {
    const share = formatShare(targetOf(reachable ?? goal, subject))
    return subject === "yes" || subject === "no" ? `${share} for ${subject}` : share
  })
  return (
    <Alert
      tone="warn"
      title={unproved.length === 2 || goal.kind !== "sides" ? "No threshold keeps within your target" : undefined}
      action={
        reachable && targets ? (
          <Button variant="secondary" size="sm" className="print:hidden" onClick={() => onGoal(reachable)}>
            Use {targets.join(" and ")}
          </Button>
        ) : null
      }
    >
      <div className="flex flex-col gap-2">
        {unproved.map((each) => (
          <p key={each.subject}>{unprovedText(each)}</p>
        ))}
        <MoreRows {...{ automatable, goal, unproved, rows }} />
        {reachable === undefined ? null : (
          <p>
            {targets
              ? `These rows reach ${targets.join(" and ")}. That is another test on the same rows.`
              : `No target up to ${formatShare(TARGETS.most)} is reached: review these answers.`}
          </p>
        )}
      </div>
    </Alert>
  )
}

/** Says how likely a larger run of rows like these proves each claim that is not made. */
function MoreRows({ automatable, goal, unproved, rows }: Omit<NotProvedProps, "onGoal">) {
  const available = useOpenSet(({ summary }) => summary?.groups ?? 0)
  const chances = useMemo(
    () => unproved.map(({ subject }) => passChances(automatable, goal, subject, { rows, available })),
    [automatable, goal, unproved, rows, available],
  )
  if (chances.every((each) => each.length === 0)) return null
  return unproved.map(({ subject }, at) => (
    <p key={subject}>
      The chance that more rows like these show it{unproved.length > 1 ? ` for ${subject}` : ""}:{" "}
      {passChancesText(chances[at] ?? [])}.
    </p>
  ))
}
