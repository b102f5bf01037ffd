import { z } from "zod"
import type { Acceptance, AcceptedClaim, AcceptedProof } from "@/lib/shared/export-code/export-test"
import type { RequestForm } from "@/lib/shared/request-form/request-form"
import { isStoredForm } from "@/lib/shared/request-form/stored-form"
import {
  type Correction,
  type DataRow,
  type EvaluationSet,
  type LabelMapping,
  MAX_ROWS,
  newId,
  newIds,
  type QuestionGoal,
  type YesNoTexts,
} from "../rows/evaluation-set"
import {
  type EvaluationRun,
  type PauseReason,
  type RowResult,
  type RunContents,
  type RunTotals,
  renamed,
  type SetContents,
} from "../run/evaluation-run"
import { SET_FORMAT } from "./set-file-mark"

const VERSION = 1

/** The schema of each field of a stored type: the compiler refuses a file that leaves one out. */
type Fields<Type> = { [Name in keyof Required<Type>]: z.ZodType<Type[Name]> }

const Usd = z.string().regex(/^\d{1,7}(\.\d{1,12})?$/)
const Share = z.number().min(0).max(1)
const Count = z.number().int().min(0)
const Form = z.custom<RequestForm>(isStoredForm)
const Row = z.object({ index: Count, line: Count, cells: z.array(z.string()) } satisfies Fields<DataRow>)
const Fault = z.object({ line: Count, reason: z.string() })
const Mapping = z.object({
  state: z.discriminatedUnion("kind", [
    z.object({ kind: z.literal("column"), column: z.string() }),
    z.object({ kind: z.literal("template"), template: z.string() }),
    z.object({ kind: z.literal("row"), without: z.array(z.string()) }),
  ]),
  labels: z.array(
    z.object({
      question: z.string(),
      column: z.string(),
      firstLevel: z.union([z.literal(0), z.literal(1)]),
      answers: z.object({ yes: z.string(), no: z.string() } satisfies Fields<YesNoTexts>).optional(),
    } satisfies Fields<LabelMapping>),
  ),
  group: z.string().optional(),
} satisfies Fields<EvaluationSet["mapping"]>)
const Corrected = z.object({
  question: z.string(),
  row: Count,
  label: Count.nullable(),
  outcome: z.string().optional(),
} satisfies Fields<Correction>)
const Totals = z.object({
  answered: Count,
  failed: Count,
  inDoubt: Count,
  tokens: Count,
  costUsd: Usd,
} satisfies Fields<RunTotals>)
const Accepted = z.object({
  question: z.string(),
  band: z.object({ low: Share.nullable(), high: Share.nullable() }).nullable(),
  options: z.array(z.tuple([z.string(), Share.nullable()])).optional(),
  minAccuracy: Share.nullable(),
  maxWrongOfAutomatic: Share.nullable(),
  minAutomatic: Share.nullable(),
  maxWrongOfYes: Share.nullable().optional(),
  maxWrongOfNo: Share.nullable().optional(),
  maxWrongOfOption: Share.nullable().optional(),
  maxMeanError: z.number().min(0).nullable(),
  proof: z
    .object({
      acceptedAt: z.iso.datetime(),
      mark: z.string(),
      rows: Count,
      risk: Share,
      seed: z.number().int(),
      claims: z.array(
        z.object({
          subject: z.literal(["yes", "no", "all", "option", "within"]),
          option: z.string().optional(),
          target: Share,
          method: z.literal(["walk", "split"]),
          automatic: Count,
          wrong: Count,
        } satisfies Fields<AcceptedClaim>),
      ),
      doubts: z.array(z.string()).optional(),
    } satisfies Fields<AcceptedProof>)
    .optional(),
} satisfies Fields<Acceptance>)
const Cost = z.number().min(0)
const Goal = z.object({
  question: z.string(),
  goal: z.object({
    kind: z.literal(["sides", "options", "target", "costs"]),
    target: Share,
    targets: z.object({ yes: Share, no: Share }),
    costs: z.object({ falseYes: Cost, falseNo: Cost, review: Cost }),
  }),
} satisfies Fields<QuestionGoal>)
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
  } satisfies Omit<Fields<Extract<RowResult, { status: "answered" }>>, "runId">),
  z.object({
    row: Count,
    status: z.literal("failed"),
    code: z.string(),
    message: z.string(),
    requestId: z.string().nullable(),
  } satisfies Omit<Fields<Extract<RowResult, { status: "failed" }>>, "runId">),
])
const Robustness = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("ablation") }),
  z.object({
    kind: z.literal("stability"),
    checks: z.array(z.literal(["repeated", "reversed", "rotated", "swapped"])),
  }),
])
const Pause = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal(["user", "interrupted", "cap", "queued"]) }),
  z.object({ kind: z.literal("refused"), code: z.string(), refusal: z.string() }),
  z.object({ kind: z.literal("failing"), code: z.string() }),
])
const INTERRUPTED: PauseReason = { kind: "interrupted" }

/** A file has no account. Lengths follow from the lists. */
type KeptRun = Omit<EvaluationRun, "setId" | "accountId" | "rowCount">
const RunFields = z.object({
  // Files of version 0.1.0 have neither ids nor reasons.
  id: z.string().default(""),
  pause: Pause.nullable().default(INTERRUPTED),
  startedAt: z.string(),
  status: z.literal(["running", "paused", "finished", "cancelled"]),
  form: Form,
  pinnedId: z.string(),
  mapping: Mapping,
  keyName: z.string(),
  capUsd: Usd.nullable(),
  totals: Totals,
  acceptances: z.array(Accepted),
  robustness: Robustness.optional(),
  follows: z.string().optional(),
  rows: z.array(Count),
  results: z.array(Result),
} satisfies Fields<KeptRun & { rows: number[]; results: Omit<RowResult, "runId">[] }>)
const RunFile = z.preprocess((run) => (typeof run === "object" && run ? renamed(run) : run), RunFields)
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
    corrections: z.array(Corrected),
    joined: z.array(z.string()).optional(),
    goals: z.array(Goal).optional(),
    sliceColumn: z.string().optional(),
  } satisfies Fields<Omit<EvaluationSet, "id" | "accountId" | "rowCount" | "isCheck">>),
  rows: z.array(Row).max(MAX_ROWS),
  runs: z.array(RunFile),
})
type SetFile = z.infer<typeof SetFile>

/** A key belongs to one account, so a file has no key id. */
const withoutKey = (form: RequestForm): RequestForm => ({ ...form, keyId: "" })

function runFile({ run, plan, results }: RunContents): SetFile["runs"][number] {
  const { setId: _, accountId: __, rowCount: ___, ...kept } = run
  return {
    ...kept,
    form: withoutKey(run.form),
    rows: plan,
    results: results.map(({ runId: ____, ...result }) => result),
  }
}

/** Writes a set with its rows, runs and results as one JSON text. */
export function writeSetFile(set: EvaluationSet, { rows, runs }: SetContents): string {
  const { id: _, accountId: __, rowCount: ___, isCheck: ____, ...kept } = set
  const file: SetFile = {
    format: SET_FORMAT,
    version: VERSION,
    set: { ...kept, form: withoutKey(set.form) },
    rows,
    runs: runs.map(runFile),
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

/** No tab sends the rows of an imported run, and a refusal was about the account and the key that ran it. */
function stateOf({ status, pause }: KeptRun): Pick<EvaluationRun, "status" | "pause"> {
  if (status === "running" || pause?.kind === "refused") return { status: "paused", pause: INTERRUPTED }
  return { status, pause: status === "paused" ? pause : null }
}

/** Returns the contents of a file as a new set of the account. */
export function setOfFile(accountId: string, file: SetFile): { set: EvaluationSet; contents: SetContents } {
  const setId = newId()
  // Newest first, like the runs.
  const ids = newIds(file.runs.length).reverse()
  const idOf = new Map(file.runs.map(({ id }, at) => [id, ids[at]]))
  const runs = file.runs.map(({ rows, results, follows, ...kept }, at): RunContents => {
    const id = ids[at] ?? ""
    const followed = follows && idOf.get(follows)
    const run = { ...kept, ...stateOf(kept), id, setId, accountId, rowCount: rows.length }
    return {
      run: { ...run, ...(followed && { follows: followed }) },
      plan: rows,
      results: results.map((result): RowResult => ({ ...result, runId: id })),
    }
  })
  return {
    set: { ...file.set, id: setId, accountId, rowCount: file.rows.length },
    // Results refer to rows by their position.
    contents: { rows: file.rows.map((row, index) => ({ ...row, index })), runs },
  }
}
