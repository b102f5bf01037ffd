import { countOf, formatCount, formatDateTime, formatExactUsd } from "@/lib/shared/format"
import type { OptionFloor } from "@/lib/shared/runs/thresholds"
import { wilsonInterval } from "@/lib/shared/statistics/binomial"
import { formatPercent } from "@/questions/display"
import { outcomesOf, typeOf } from "@/questions/question-types"
import { ONE_TARGET, statedClaims } from "../figures/automation"
import { correctionsText, countCorrections } from "../figures/correction-counts"
import { correctedLabels } from "../figures/corrections"
import { intervalText } from "../figures/figure-text"
import { judgedRows, predictedOf } from "../figures/judged-rows"
import {
  ONE_COLUMN,
  restText,
  SCORE_IS_WRONG,
  sliceClaimsText,
  sliceClaimText,
  slicesOf,
  WORSE_MEANS,
} from "../figures/slices"
import { labelsOf } from "../run/asked-rows"
import { doubtsOf, type JudgedQuestion, judgedQuestions, type RunData } from "./judged-questions"
import { limitTexts } from "./limit-texts"
import { ruleText } from "./rule-text"

const cell = (text: string): string => text.replaceAll("\\", "\\\\").replaceAll("|", "\\|").replace(/\s+/g, " ")

const table = (head: string[], rows: string[][]): string =>
  [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.map(cell).join(" | ")} |`).join("\n")

/** Describes accepted figures and what speaks against their claims, one line each. */
export function describeAcceptance(judged: JudgedQuestion): string[] {
  if (!judged.acceptance) return []
  const { band, options, proof, ...limits } = judged.acceptance
  const claims = proof?.claims ?? []
  const doubts = claims.length > 0 ? doubtsOf(judged) : []
  return [
    band ? [`Threshold: ${ruleText(typeOf(judged.question).scale, band)}`] : [],
    options ? [`Thresholds: ${optionsText(options)}`] : [],
    doubts.length > 0 ? [`Not confirmed, do not rely on it yet. ${doubts.join(" ")}`] : [],
    statedClaims(claims).map(({ text, evidence }) => `${text} ${evidence}`),
    limitTexts(limits, claims),
    proof
      ? [
          `Accepted on ${formatDateTime(new Date(proof.acceptedAt))} UTC, from ${countOf(proof.rows, "labelled answer")}. ${ONE_TARGET}`,
        ]
      : [],
  ].flat()
}

const optionsText = (options: readonly OptionFloor[]): string =>
  options
    .map(
      ([option, from]) =>
        `${option.replace(/\s+/g, " ")} ${from === null ? "never automatic" : `automatic from ${from} up`}`,
    )
    .join(", ")

function confusion({ question, outcomes, judged }: JudgedQuestion): string {
  const counts = outcomes.map(() => outcomes.map(() => 0))
  for (const { label, probabilities } of judged) {
    const row = counts[label]
    const predicted = predictedOf(question.type, probabilities)
    if (row) row[predicted] = (row[predicted] ?? 0) + 1
  }
  return table(
    ["Label \\ answer", ...outcomes],
    counts.map((row, label) => [outcomes[label] ?? "", ...row.map(formatCount)]),
  )
}

const RELY_ON_CONFIRMED = "Rely on claims for single values only where the accepted figures are confirmed."

/** Compares the values of the column that the user chose; empty without one. */
function slicesText({ set, rows, run }: RunData, { question, outcomes, judged }: JudgedQuestion): string[] {
  if (labelsOf(set, run).some((each) => each.question === question.name && each.column === set.sliceColumn)) return []
  const found = slicesOf(set, rows, question, { names: outcomes, rows: judged })
  if (!found || found.slices.length === 0) return []
  const lines = found.slices.map((slice) => {
    const { value, rows: count, wrong } = slice
    const interval = intervalText(wilsonInterval(wrong, count), formatPercent) ?? ""
    const share = `${formatCount(wrong)} (${formatPercent(wrong / count)}, ${interval})`
    return [value, formatCount(count), share, restText(slice), sliceClaimText(slice)]
  })
  const meaning = typeOf(question).scale === "ordinal" ? [SCORE_IS_WRONG] : []
  return [
    `### By ${(set.sliceColumn ?? "").replace(/\s+/g, " ")}`,
    table(["Value", "Rows", "Wrong (95 % interval)", "Against the rest", "Automatic by itself"], lines),
    [...meaning, ...sliceClaimsText(found), WORSE_MEANS, ONE_COLUMN, RELY_ON_CONFIRMED].join(" "),
  ]
}

function section(data: RunData, judgedQuestion: JudgedQuestion): string {
  const { question, outcomes, judged, groups, right, acceptance, isAccepted } = judgedQuestion
  const interval = wilsonInterval(right, judged.length)
  if (!interval || !acceptance) return `## ${question.name}\n\nNo answered row has a label.`
  const base = Math.max(...outcomes.map((_, outcome) => judged.filter(({ label }) => label === outcome).length))
  const share = (count: number) => formatPercent(count / judged.length)
  return [
    `## ${question.name}`,
    `${share(right)} of ${countOf(judged.length, "row")} ${judged.length === 1 ? "is" : "are"} right (95 % interval ${formatPercent(interval.low)} to ${formatPercent(interval.high)}). Always answering the most frequent label would be right in ${share(base)}.`,
    ...(groups ? [groups] : []),
    confusion(judgedQuestion),
    `${isAccepted ? "Accepted" : "Suggested"} figures:`,
    describeAcceptance(judgedQuestion)
      .map((line) => `- ${line}`)
      .join("\n"),
    ...slicesText(data, judgedQuestion),
  ].join("\n\n")
}

/** Says what was corrected in the labels of each question. */
function correctionsIn({ set, results, asked }: RunData): string {
  const texts = asked.questions.flatMap((question) => {
    const corrected = correctedLabels(set.corrections, question.name, outcomesOf(question).names(question))
    const rows = judgedRows(asked, results, [], question.name)
    const text = correctionsText(countCorrections(question.type, rows, corrected))
    return text === null ? [] : [`${question.name}: ${text}`]
  })
  return texts.length === 0 ? "None" : texts.join("; ")
}

/** Writes a run as a report in Markdown. It holds figures and no row. */
export function writeReport(data: RunData): string {
  const { set, run } = data
  const { totals } = run
  const facts = [
    ["Model", run.pinnedId === run.form.model ? run.pinnedId : `${run.pinnedId}, asked for as ${run.form.model}`],
    ["Rows", `${formatCount(totals.answered)} answered of ${formatCount(run.rowCount)}, from ${set.source.name}`],
    ["Failed", formatCount(totals.failed)],
    ["Cost", `${formatExactUsd(totals.costUsd)} for ${countOf(totals.tokens, "token")}`],
    ["Started", `${formatDateTime(new Date(run.startedAt))} UTC`],
    ["Corrections", correctionsIn(data)],
  ]
  const title = `# Evaluation of ${set.name}`
  const note =
    "Probabilities of different models are not comparable: these figures are for this model only, and for rows like these."
  return `${[title, table(["Fact", "Value"], facts), note, ...judgedQuestions(data).map((each) => section(data, each))].join("\n\n")}\n`
}
