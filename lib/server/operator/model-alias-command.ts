import { Command } from "commander"
import { listAliasMoves } from "@/lib/server/models/alias"
import { cancelMove, findPlannedMove, planMove } from "@/lib/server/models/plan-move"
import { getModelEntry } from "@/lib/server/models/report-models"
import { openCatalogue } from "@/lib/server/models/seed-models"
import { OPERATOR } from "@/lib/server/platform/actor"
import { runtime } from "@/lib/server/platform/runtime"
import { ALIAS } from "@/lib/shared/models/model-ids"
import { DEFAULT_NOTICE_DAYS, MAX_NOTICE_DAYS } from "@/lib/shared/operator/forms"
import { utcDay, whole } from "./arguments"
import { type Outcome, type RunCommand, table } from "./outcome"

/** Runs a change of the plan if there is one, then shows the moves and the plan. */
async function history(work?: () => Promise<void>): Promise<Outcome> {
  await openCatalogue(runtime())
  await work?.()
  const [moves, planned] = await Promise.all([listAliasMoves(runtime()), findPlannedMove(runtime())])
  const plan = planned
    ? `It moves to ${planned.to} on ${planned.on} (UTC), and the mails ${planned.isAnnounced ? "are queued" : `go out on ${planned.announcedOn}`}.`
    : "No move is planned."
  const text = table(
    ["Moved at", "To", "From"],
    moves.map(({ at, to, from }) => [at, to, from]),
  )
  const json = {
    id: ALIAS,
    target_model: getModelEntry(runtime(), ALIAS).target_model,
    moves,
    planned: planned && {
      to: planned.to,
      on: planned.on,
      announced_on: planned.announcedOn,
      is_announced: planned.isAnnounced,
    },
  }
  return { json, text: `${text}\n\n${plan}` }
}

interface AliasOptions {
  on?: string
  notice?: number
  cancel?: boolean
}

/** `model alias`. `moveNow` moves the alias at once. */
export function aliasCommand(act: RunCommand, moveNow: (toId: string) => Promise<Outcome>): Command {
  const command = new Command("alias")
    .description(`point ${ALIAS} at a model, now or on a day, or show its moves`)
    .argument("[id]", "an active pinned model; without it the moves are shown")
    .option("--on <day>", "plan the move for the start of this UTC day, such as 2026-12-01", utcDay)
    .option(
      "--notice <days>",
      `with --on: announce it by mail so many days before (default: ${DEFAULT_NOTICE_DAYS})`,
      whole(0, MAX_NOTICE_DAYS),
    )
    .option("--cancel", "cancel the planned move")
  return command.action((toId: string | undefined, { on, notice, cancel }: AliasOptions) => {
    if (cancel ? toId !== undefined || on !== undefined : on !== undefined && toId === undefined)
      return command.error("error: give an id with --on, an id alone, or --cancel")
    if (notice !== undefined && on === undefined) return command.error("error: give --notice with --on")
    if (cancel) return act(() => history(() => cancelMove(runtime(), OPERATOR)))
    if (toId === undefined) return act(() => history())
    if (on === undefined) return act(() => moveNow(toId))
    const noticeDays = notice ?? DEFAULT_NOTICE_DAYS
    return act(() => history(() => planMove(runtime(), OPERATOR, { toId, on, noticeDays })))
  })
}
