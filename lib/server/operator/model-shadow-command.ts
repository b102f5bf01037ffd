import { Command } from "commander"
import { openCatalogue } from "@/lib/server/models/seed-models"
import { OPERATOR } from "@/lib/server/platform/actor"
import { runtime } from "@/lib/server/platform/runtime"
import { endShadow, startShadow } from "@/lib/server/shadows/run-shadow"
import { findShadow } from "@/lib/server/shadows/shadow-report"
import { countOf, formatExactUsd, formatMs } from "@/lib/shared/format"
import { ALIAS } from "@/lib/shared/models/model-ids"
import type { Pico } from "@/lib/shared/money"
import type { ShadowReport } from "@/lib/shared/shadows/shadow-report"
import { questionsText, takenText } from "@/lib/shared/shadows/shadow-texts"
import { amountUsd, percent, utcDay } from "./arguments"
import { facts, type Outcome, type RunCommand, table } from "./outcome"

interface ShadowOptions {
  to?: string
  share?: number
  until?: string
  budget?: Pico
  off?: boolean
}

const jsonOf = ({ questions, ...shadow }: ShadowReport) => ({
  alias: shadow.alias,
  from: shadow.from,
  to: shadow.to,
  share: shadow.share,
  started_at: shadow.startedAt,
  until: shadow.until,
  ended_at: shadow.endedAt,
  accounts: shadow.accounts,
  answered: shadow.answered,
  failed: shadow.failed,
  skipped: shadow.skipped,
  tokens: shadow.tokens,
  mean_ms: { served: shadow.servedMs, candidate: shadow.candidateMs },
  spent_usd: shadow.spentUsd,
  budget_usd: shadow.budgetUsd,
  questions: questions.map(({ type, options, compared, changed, interval, meanDistance }) => ({
    ...{ type, options, compared, changed },
    changed_share: changed / compared,
    wilson_95: interval,
    mean_distance: meanDistance,
  })),
})

function textOf(shadow: ShadowReport): string {
  const { answered, failed, skipped, servedMs, candidateMs, budgetUsd } = shadow
  const round = (ms: number | null) => formatMs(ms === null ? null : Math.round(ms))
  const summary = facts([
    ["Alias", `${shadow.alias}, which pointed at ${shadow.from}`],
    ["Candidate", shadow.to],
    ["Share", `${takenText(shadow.share)} of answered requests`],
    ["Started at", shadow.startedAt],
    [shadow.endedAt ? "Ended at" : "Until", shadow.endedAt ?? shadow.until ?? "no end"],
    [
      "Requests",
      `${answered} answered, ${failed} failed, ${skipped} not asked, of ${countOf(shadow.accounts, "account")}`,
    ],
    ["Mean time", `${round(servedMs)} for ${shadow.from}, ${round(candidateMs)} for ${shadow.to}`],
    [
      "Cost",
      `${formatExactUsd(shadow.spentUsd)} at the candidate's price${budgetUsd === null ? "" : ` of ${formatExactUsd(budgetUsd)}`}`,
    ],
  ])
  if (shadow.questions.length === 0) return summary
  const rows = shadow.questions.map((questions) => {
    const { compared, changed, interval, mean } = questionsText(questions)
    return [questions.type, questions.options, compared, changed, interval, mean]
  })
  const heads = ["Type", "Options", "Compared", "Changed", "95% Wilson interval", "Mean distance"]
  return `${summary}\n\n${table(heads, rows)}`
}

async function show(aliasId: string): Promise<Outcome> {
  const shadow = await findShadow(runtime(), OPERATOR, { aliasId })
  if (!shadow) return { json: { shadow: null }, text: `${aliasId} has had no shadow in the time that is kept.` }
  return { json: { shadow: jsonOf(shadow) }, text: textOf(shadow) }
}

/** Runs a change if there is one, then shows the alias's latest shadow. */
async function change(aliasId: string, work?: () => Promise<void>): Promise<Outcome> {
  await openCatalogue(runtime())
  await work?.()
  return show(aliasId)
}

/** `model shadow` */
export function shadowCommand(act: RunCommand): Command {
  const command = new Command("shadow")
    .description("also ask a candidate what a share of the alias's requests asks, or show how it compares")
    .argument("<alias>", `the alias, ${ALIAS}`)
    .option("--to <id>", "the candidate, an active pinned model")
    .option("--share <percent>", "with --to: the share of answered requests, such as 5%", percent)
    .option("--until <day>", "with --to: the UTC day at whose start it ends, such as 2026-12-15", utcDay)
    .option("--budget <usd>", "with --to: the maximum cost of the candidate's answers at its price", amountUsd)
    .option("--off", "end it")
  return command.action((aliasId: string, { to, share, until, budget, off }: ShadowOptions) => {
    const hasTerms = share !== undefined || until !== undefined || budget !== undefined
    if (off ? to !== undefined || hasTerms : (to === undefined) !== (share === undefined) || (!to && hasTerms))
      return command.error("error: give --to with --share, --off, or none of them")
    if (off) return act(() => change(aliasId, () => endShadow(runtime(), OPERATOR, { aliasId })))
    if (to === undefined || share === undefined) return act(() => change(aliasId))
    const terms = { aliasId, toId: to, share, until: until ?? null, budgetPico: budget ?? null }
    return act(() => change(aliasId, () => startShadow(runtime(), OPERATOR, terms)))
  })
}
