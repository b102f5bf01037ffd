import type { AcceptedClaim } from "@/lib/shared/export-code/export-test"
import { shortText } from "@/lib/shared/long-runs"
import type { OptionFloor } from "@/lib/shared/runs/thresholds"
import type { BandCosts, DecisionBand } from "@/lib/shared/statistics/band"
import { trialsWithoutError } from "@/lib/shared/statistics/binomial"
import type { WalkFault } from "@/lib/shared/statistics/walk"
import { type CheckedQuestion, typeOf } from "@/questions/question-types"

/** The user's goal for automatic answers. All costs have the same unit, which the user chooses. */
export interface Goal {
  /** `sides`: a target for each answer of a yes/no question. `options`: one for each option of a choice. `target`: one for all. */
  kind: "sides" | "options" | "target" | "costs"
  /** The highest share of wrong automatic answers. */
  target: number
  /** The highest share of wrong ones among automatic yes, and among automatic no. */
  targets: { yes: number; no: number }
  costs: BandCosts
}

export const FIRST_GOAL: Goal = {
  kind: "target",
  target: 0.02,
  targets: { yes: 0.02, no: 0.02 },
  costs: { falseYes: 10, falseNo: 10, review: 1 },
}

/** Returns the goal that the user chose for a question, else the first one. Yes and no begin with a target each. */
export const goalOf = (
  goals: readonly { question: string; goal: Goal }[] | undefined,
  question: CheckedQuestion,
): Goal =>
  goals?.find((each) => each.question === question.name)?.goal ??
  (typeOf(question).scale === "binary" ? { ...FIRST_GOAL, kind: "sides" } : FIRST_GOAL)

/** "At most `target` of the automatic answers are wrong." All claims of a rule hold together with 95% confidence. */
export type Claim = AcceptedClaim
/** The answers that a claim is about. `within`: scores, which are wrong when they are more than one level off. */
export type Subject = Claim["subject"]

/** Why a claim is not made. */
export interface Unproved {
  subject: Subject
  target: number
  fault: WalkFault
  /** The labelled rows that the model answers so, and the fewest that could prove the claim. */
  rows: number
  needed: number
}

/** The results of a rule on rows. `errorBound` is valid only on rows that did not choose the rule. */
export interface RuleCounts {
  rows: number
  automatic: number
  review: number
  wrong: number
  errorBound: number
  cost: number
}

/** A rule for automatic answers. */
export interface Automation {
  /** "Answer yes from 0.83 up." */
  rule: string
  band: DecisionBand
  /** From which probability on each option is automatic. It replaces the band. */
  options?: OptionFloor[]
  /** Empty for a rule that costs choose. */
  claims: Claim[]
  /** What the rule does on all rows. */
  counts: RuleCounts
  /** Present when one half chose the rule and the other checked it. */
  halves: { chosen: RuleCounts; checked: RuleCounts } | null
  /** Wrong answers by kind. */
  mistakes: string
}

/** The rule for a goal, and what could not be proved for it. */
export interface Found {
  automation: Automation | null
  unproved: Unproved[]
}

/** What is proved for the rows of one predicted option. */
export interface OptionClaim {
  option: string
  /** Null: nothing is proved. */
  from: number | null
  fault: WalkFault | null
  rows: number
  automatic: number
  wrong: number
}

/** A question's rows, sorted once, and how a rule is found in them. */
export interface Automatable {
  find(goal: Goal): Found
  /** Returns the chance that so many rows like these prove the claim about a subject. */
  chance(goal: Goal, subject: Subject, rows: number): number
  /** Returns what is proved for each option by itself. Absent for a question without options. */
  optionClaims?(target: number): OptionClaim[]
}

/** The range of error targets that the user can choose from. */
export const TARGETS = { least: 0.005, most: 0.2, step: 0.005 }

/**
 * Searches the goal with the lowest higher targets for which each unproved claim is proved; null when there is none. These targets
 * come from the same rows, so the page asks for others to confirm them. Yields after each target that it tried.
 */
export function* searchReachableGoal(automatable: Automatable, goal: Goal): Generator<undefined, Goal | null> {
  const open = automatable.find(goal).unproved.map(({ subject }) => subject)
  yield undefined
  let raised = goal
  for (const subject of open)
    raised = withTarget(raised, subject, (yield* searchTarget(automatable, goal, subject)) ?? targetOf(goal, subject))
  return open.some((subject) => targetOf(raised, subject) !== targetOf(goal, subject)) ? raised : null
}

function* searchTarget(automatable: Automatable, goal: Goal, subject: Subject): Generator<undefined, number | null> {
  const steps = Math.round(TARGETS.most / TARGETS.step)
  for (let step = Math.floor(targetOf(goal, subject) / TARGETS.step) + 1; step <= steps; step++) {
    const target = Math.round(step * TARGETS.step * 1_000) / 1_000
    const { unproved } = automatable.find(withTarget(goal, subject, target))
    if (unproved.every((each) => each.subject !== subject)) return target
    yield undefined
  }
  return null
}

export const targetOf = ({ target, targets }: Goal, subject: Subject): number =>
  subject === "yes" || subject === "no" ? targets[subject] : target

const withTarget = (goal: Goal, subject: Subject, target: number): Goal =>
  subject === "yes" || subject === "no"
    ? { ...goal, targets: { ...goal.targets, [subject]: target } }
    : { ...goal, target }

/** Shows a threshold of a chart. A rule shows all digits instead. */
export const formatThreshold = (value: number): string => String(Number(value.toFixed(6)))

/** The answers that a claim is about, and what makes them wrong. */
const SUBJECTS: Record<Subject, { answers: string; are: string }> = {
  yes: { answers: "automatic yes", are: "wrong" },
  no: { answers: "automatic no", are: "wrong" },
  all: { answers: "automatic answers", are: "wrong" },
  option: { answers: "automatic answers of a single option", are: "wrong" },
  within: { answers: "automatic scores", are: "more than one level off" },
}

/** States the target, because only that is proved: a bound of the last step would promise more. */
export function claimText({ subject, target, method, option }: Omit<Claim, "automatic" | "wrong">): string {
  const { answers, are } = SUBJECTS[subject]
  const how = method === "split" ? ", shown on the checking half" : ""
  const of = option === undefined ? answers : `automatic “${shortText(option)}”`
  return `At most ${formatBound(target)} of the ${of} are ${are} (95% confidence${how}).`
}

/** Returns the rows behind a claim. */
const evidenceText = ({ automatic, wrong, method }: Claim): string =>
  `${wrong} of ${automatic} ${method === "split" ? "in the checking half " : ""}${wrong === 1 ? "is" : "are"} wrong.`

/** A claim, or all claims for single options, as users read them. */
export interface StatedClaim {
  text: string
  evidence: string
  method: Claim["method"]
}

const MOST_NAMED = 5

/** Returns claims as texts. Claims for single options hold together and become one text. */
export function statedClaims(claims: readonly Claim[]): StatedClaim[] {
  const stated = (claim: Claim): StatedClaim => ({
    text: claimText(claim),
    evidence: evidenceText(claim),
    method: claim.method,
  })
  const [first, ...others] = claims.filter(({ subject }) => subject === "option")
  if (!first || others.length === 0) return claims.map(stated)
  const named = [first, ...others].slice(0, MOST_NAMED).map(({ option = "" }) => `“${shortText(option)}”`)
  const more = others.length + 1 - named.length
  const list =
    more > 0 ? `${named.join(", ")} and ${more} more` : `${named.slice(0, -1).join(", ")} and ${named.at(-1)}`
  const total = (count: (claim: Claim) => number) => [first, ...others].reduce((sum, claim) => sum + count(claim), 0)
  const together = { ...first, automatic: total((claim) => claim.automatic), wrong: total((claim) => claim.wrong) }
  return [
    {
      text: `At most ${formatBound(first.target)} of the automatic answers of each of ${list} are wrong (95% confidence, for all of these together).`,
      evidence: evidenceText(together),
      method: first.method,
    },
  ]
}

/** The condition of every claim. It goes wherever a claim goes. */
export const ONE_TARGET =
  "A claim holds for one target and for rows like these. If you try several targets, confirm the one that you choose with rows that were not used here."

/** Rounds a bound up, so that the text never promises more than was computed. */
export const formatBound = (bound: number): string => `${(Math.ceil(bound * 1_000 - 1e-9) / 10).toFixed(1)}%`

/** The fewest rows without a mistake that could prove a target. */
export const rowsNeeded = (target: number, risk: number): number => trialsWithoutError(target, risk)

/** Returns why a claim is not made, and what would help. */
export function unprovedText({ subject, target, fault, rows, needed }: Unproved): string {
  const { answers, are } = SUBJECTS[subject]
  if (subject === "option" && fault === "surest")
    return `Nothing shows at most ${formatBound(target)} wrong for any single option: the surest answers of those with enough rows are wrong too often. Wrong labels count as mistakes too: look at the wrong answers below.`
  const claim = `at most ${formatBound(target)} of the ${answers} ${are}`
  if (fault === "few")
    return `Not enough rows to show ${claim}: it takes ${needed} without any mistake, and there ${rows === 1 ? "is" : "are"} ${rows}. Label more rows, or raise the target.`
  return `Nothing shows ${claim}: the surest answers are wrong too often. One half of the rows chose another threshold, but the other half did not confirm it. Wrong labels count as mistakes too: look at the wrong answers below. Otherwise, raise the target, label more rows, or improve the question.`
}
