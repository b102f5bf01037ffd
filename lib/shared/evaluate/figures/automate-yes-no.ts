import {
  type BandCheck,
  bandChooser,
  cheapestBand,
  checkBand,
  type DecisionBand,
  meanCost,
} from "@/lib/shared/statistics/band"
import { RISK } from "@/lib/shared/statistics/binomial"
import { checkThreshold, widestThreshold } from "@/lib/shared/statistics/coverage"
import { type Forecasts, sortForecasts } from "@/lib/shared/statistics/forecasts"
import { chanceToPass } from "@/lib/shared/statistics/pilot"
import { bandOfSides, sideCurves, symmetricBand, symmetricCurve } from "@/lib/shared/statistics/sides"
import { splitAndTest } from "@/lib/shared/statistics/split"
import { walkCurve } from "@/lib/shared/statistics/walk"
import { halfOf, type SplitAnswers } from "./answered-rows"
import {
  type Automatable,
  type Automation,
  type Claim,
  type Goal,
  type RuleCounts,
  rowsNeeded,
  type Unproved,
} from "./automation"
import type { Answered } from "./evaluation-figures"

function bandRule({ low, high }: DecisionBand): string {
  const parts = [...(high !== null ? [`yes from ${high} up`] : []), ...(low !== null ? [`no below ${low}`] : [])]
  if (parts.length === 0) return "Review every row."
  const rest = parts.length === 1 ? " Review the rest." : low === high ? "" : " Review the rows in between."
  return `Answer ${parts.join(" and ")}.${rest}`
}

export const yesOf = ({ labels, probabilities }: Answered): Forecasts =>
  sortForecasts(
    probabilities.map(([, yes = 0]) => yes),
    labels,
  )

interface Rows {
  all: Forecasts
  choose: Forecasts
  check: Forecasts
}

/** Prepares yes/no rows for a band: auto-no, review, auto-yes. */
export function automatableBand(answered: SplitAnswers): Automatable {
  const rows: Rows = {
    all: yesOf(answered),
    choose: yesOf(halfOf(answered, "choose")),
    check: yesOf(halfOf(answered, "check")),
  }
  const findSides = sidesFinder(rows)
  const findPooled = pooledFinder(rows)
  return {
    find(goal) {
      if (goal.kind === "costs")
        return { automation: automationOf(rows, cheapestBand(rows.choose, goal.costs), [], goal, true), unproved: [] }
      const { band, claims, unproved } = goal.kind === "sides" ? findSides(goal) : findPooled(goal)
      const isSplit = claims.some(({ method }) => method === "split")
      return { automation: claims.length > 0 ? automationOf(rows, band, claims, goal, isSplit) : null, unproved }
    },
    chance(goal, subject, count) {
      if (subject !== "yes" && subject !== "no")
        return chanceToPass(symmetricCurve(rows.all), count, goal.target, { fromHalf: true })
      const curve = sideCurves(rows.all)[subject]
      const share = (curve.at(-1)?.decided ?? 0) / rows.all.isYes.length
      return chanceToPass(curve, Math.round(count * share), goal.targets[subject], { risk: RISK / 2 })
    },
  }
}

interface FoundBand {
  band: DecisionBand
  claims: Claim[]
  unproved: Unproved[]
}

/** Each side has its own target and half of the risk, so both claims hold together. */
function sidesFinder({ all, choose, check }: Rows): (goal: Goal) => FoundBand {
  const risk = RISK / 2
  const [whole, first, second] = [all, choose, check].map(sideCurves)
  function findSide(subject: "yes" | "no", target: number): { count: number; claim: Claim } | Unproved {
    const [curve = [], chooseCurve = [], checkCurve = []] = [whole?.[subject], first?.[subject], second?.[subject]]
    const walked = walkCurve(curve, target, { risk })
    const point = "at" in walked ? curve[walked.at] : undefined
    if (point) {
      const { decided: count, wrong } = point
      return { count, claim: { subject, target, method: "walk", automatic: count, wrong } }
    }
    const fault = "fault" in walked ? walked.fault : "surest"
    const threshold =
      fault === "few"
        ? null
        : splitAndTest(
            (each) => widestThreshold(chooseCurve, target, each),
            (each) => checkThreshold(checkCurve, each),
            { rows: checkCurve.at(-1)?.decided ?? 0, target, risk },
          )
    const rows = curve.at(-1)?.decided ?? 0
    if (threshold === null) return { subject, target, fault, rows, needed: rowsNeeded(target, risk) }
    const { automatic, wrong } = checkThreshold(checkCurve, threshold)
    const count = checkThreshold(curve, threshold).automatic
    return { count, claim: { subject, target, method: "split", automatic, wrong } }
  }
  return ({ targets }) => {
    const [yes, no] = [findSide("yes", targets.yes), findSide("no", targets.no)]
    const countOf = (side: typeof yes) => ("count" in side ? side.count : null)
    return {
      band: bandOfSides(all, { yes: countOf(yes), no: countOf(no) }),
      claims: [yes, no].flatMap((side) => ("claim" in side ? [side.claim] : [])),
      unproved: [yes, no].flatMap((side) => ("fault" in side ? [side] : [])),
    }
  }
}

/** One target for all automatic answers, by the probability of the more likely answer. */
function pooledFinder({ all, choose, check }: Rows): (goal: Goal) => FoundBand {
  const curve = symmetricCurve(all)
  const chooseBand = bandChooser(choose)
  return ({ target }) => {
    const walked = walkCurve(curve, target, { fromHalf: true })
    if ("at" in walked) {
      const { decided = 0, wrong = 0 } = curve[walked.at] ?? {}
      const claim: Claim = { subject: "all", target, method: "walk", automatic: decided, wrong }
      return { band: symmetricBand(all, curve, walked.at), claims: [claim], unproved: [] }
    }
    const rows = all.isYes.length
    const band =
      walked.fault === "few"
        ? null
        : splitAndTest(
            (risk) => chooseBand(target, risk),
            (each) => checkBand(check, each),
            { rows: check.isYes.length, target },
          )
    if (band) {
      const { automatic, wrong } = checkBand(check, band)
      return { band, claims: [{ subject: "all", target, method: "split", automatic, wrong }], unproved: [] }
    }
    const needed = rowsNeeded(target, RISK / 2)
    return {
      band: { low: null, high: null },
      claims: [],
      unproved: [{ subject: "all", target, fault: walked.fault, rows, needed }],
    }
  }
}

function automationOf(
  { all, choose, check }: Rows,
  band: DecisionBand,
  claims: Claim[],
  { costs }: Goal,
  hasHalves: boolean,
): Automation {
  const counts = (counted: BandCheck): RuleCounts => ({ ...counted, cost: meanCost(counted, costs) })
  const whole = checkBand(all, band)
  const halves = hasHalves ? { chosen: counts(checkBand(choose, band)), checked: counts(checkBand(check, band)) } : null
  return {
    rule: bandRule(band),
    band,
    claims,
    counts: counts(whole),
    halves,
    mistakes: `${whole.falseYes} of ${whole.yes} automatic yes and ${whole.falseNo} of ${whole.no} automatic no are wrong.`,
  }
}
