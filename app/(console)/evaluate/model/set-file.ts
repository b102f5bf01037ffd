import { z } from "zod"
import type { RequestForm } from "@/lib/shared/request-form/request-form"
import { isStoredForm } from "@/lib/shared/request-form/stored-form"
import type { EvaluationRun, RowResult } from "./evaluation-run"
import { type DataRow, type EvaluationSet, MAX_ROWS } from "./evaluation-set"
import { addResults, addRun, addSet, newId, planOf, resultsOf, rowsOf, runsOf } from "./evaluation-store"
import { SET_FORMAT } from "./set-file-mark"

const VERSION = 1

const Usd = z.string().regex(/^\d{1,7}(\.\d{1,12})?$/)
const Share = z.number().min(0).max(1)
const Count = z.number().int().min(0)
const Form = z.custom<RequestForm>(isStoredForm)
const Row = z.object({ index: Count, line: Count, cells: z.array(z.string()) })
const Fault = z.object({ line: Count, reason: z.string() })
const Mapping = z.object({
  state: z.discriminatedUnion("kind", [
    z.object({ kind: z.literal("column"), column: z.string() }),
    z.object({ kind: z.literal("template"), template: z.string() }),
    z.object({ kind: z.literal("row"), without: z.array(z.string()) }),
  ]),
  labels: z.array(
    z.object({ question: z.string(), column: z.string(), firstLevel: z.union([z.literal(0), z.literal(1)]) }),
  ),
})
const Totals = z.object({ answered: Count, failed: Count, inDoubt: Count, tokens: Count, costUsd: Usd })
const Acceptance = z.object({
  question: z.string(),
  /** A `high` just above 1 is never reached. */
  band: z.object({ low: Share, high: z.number().min(0).max(2) }).nullable(),
  minAccuracy: Share.nullable(),
  maxWrongOfAutomatic: Share.nullable(),
  minAutomatic: Share.nullable(),
  maxMeanError: z.number().min(0).nullable(),
})
const Result = z.discriminatedUnion("status", [
  z.object({ row: Count, status: z.literal("waiting") }),
  z.object({ row: Count, status: z.literal(["sent", "in_doubt"]), attempt: z.string(), sentAt: z.iso.datetime() }),
  z.object({
    row: Count,
    status: z.literal("answered"),
    answers: z.array(z.array(Share).nullable()),
    tokens: Count,
    costUsd: Usd.nullable(),
    requestId: z.string().nullable(),
    latencyMs: z.number(),
  }),
  z.object({
    row: Count,
    status: z.literal("failed"),
    code: z.string(),
    message: z.string(),
    requestId: z.string().nullable(),
  }),
])
const Probe = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("ablation") }),
  z.object({
    kind: z.literal("stability"),
    checks: z.array(z.literal(["repeated", "reversed", "rotated", "swapped"])),
  }),
])
const RunFile = z.object({
  startedAt: z.string(),
  status: z.literal(["running", "paused", "finished", "cancelled"]),
  form: Form,
  pinnedId: z.string(),
  mapping: Mapping,
  keyName: z.string(),
  capUsd: Usd.nullable(),
  totals: Totals,
  acceptances: z.array(Acceptance),
  probe: Probe.optional(),
  rows: z.array(Count),
  results: z.array(Result),
})
const SetFile = z.object({
  format: z.literal(SET_FORMAT),
  version: z.literal(VERSION),
  set: z.object({
    name: z.string(),
    createdAt: z.string(),
    source: z.object({ format: z.literal(["csv", "jsonl", "json"]), name: z.string() }),
    columns: z.array(z.string()),
    unreadable: z.array(Fault),
    mapping: Mapping,
    form: Form,
    corrections: z.array(
      z.object({ question: z.string(), row: Count, label: Count.nullable(), outcome: z.string().optional() }),
    ),
  }),
  rows: z.array(Row).max(MAX_ROWS),
  runs: z.array(RunFile),
})
type SetFile = z.infer<typeof SetFile>

/** A key belongs to one account, so a file has no key id. */
const withoutKey = (form: RequestForm): RequestForm => ({ ...form, keyId: "" })

async function runFile({ id, rowCount: _, setId: __, accountId: ___, pause: ____, ...run }: EvaluationRun) {
  const [rows, results] = await Promise.all([planOf(id), resultsOf(id)])
  return { ...run, form: withoutKey(run.form), rows, results: results.map(({ runId: _____, ...result }) => result) }
}

/** Writes a set with its rows, runs and results as one JSON text. */
export async function writeSetFile(set: EvaluationSet): Promise<string> {
  const { id, accountId: _, rowCount: __, ...kept } = set
  const file = {
    format: SET_FORMAT,
    version: VERSION,
    set: { ...kept, form: withoutKey(set.form) },
    rows: await rowsOf(id),
    runs: await Promise.all((await runsOf(id)).map(runFile)),
  }
  return JSON.stringify(file)
}

export type ReadSetFile = { ok: true; file: SetFile } | { ok: false; message: string }

export function readSetFile(text: string): ReadSetFile {
  const damaged = {
    ok: false,
    message: "The file is damaged or was made by another version. Export the set again.",
  } as const
  try {
    const read = SetFile.safeParse(JSON.parse(text))
    return read.success ? { ok: true, file: read.data } : damaged
  } catch {
    return damaged
  }
}

/** Stores the contents of a file as a new set of the account and returns its id. */
export async function importSet(accountId: string, { set, rows, runs }: SetFile): Promise<string> {
  const id = newId()
  const added: EvaluationSet = { ...set, id, accountId, rowCount: rows.length }
  // Results refer to rows by their position.
  await addSet(
    added,
    rows.map((row, index): DataRow => ({ ...row, index })),
  )
  for (const { rows: plan, results, ...kept } of runs.toReversed()) {
    const runId = newId()
    const status = kept.status === "running" ? "paused" : kept.status
    const pause = status === "paused" ? ({ kind: "interrupted" } as const) : null
    const run: EvaluationRun = { ...kept, id: runId, setId: id, accountId, status, pause, rowCount: plan.length }
    await addRun(run, plan)
    await addResults(results.map((result): RowResult => ({ ...result, runId })))
  }
  return id
}
