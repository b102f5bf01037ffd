import type { Acceptance } from "@/lib/shared/export-code/export-test"
import type { RequestForm } from "@/lib/shared/request-form/request-form"
import type { RewordingName } from "@/questions/rewordings"
import type { DataRow, Mapping } from "../rows/evaluation-set"

/**
 * One pass over a set. It keeps what it asked: questions and mapping of the set may change later.
 *
 * - `running`: a tab sends rows, or was closed while it did.
 * - `paused`: for the reason in `pause`, which is null before the first start.
 * - `finished`: each row was answered, failed, or may have been charged without an answer.
 * - `cancelled`: the user wants no further row to be sent.
 */
export interface EvaluationRun {
  id: string
  setId: string
  accountId: string
  /** ISO 8601. */
  startedAt: string
  status: "running" | "paused" | "finished" | "cancelled"
  pause: PauseReason | null
  /** Names the alias or model that was chosen. Requests name `pinnedId`, so that one model answers every row. */
  form: RequestForm
  pinnedId: string
  mapping: Mapping
  /** The paying key's name when the run began. */
  keyName: string
  /** Exact USD text. Rows that could exceed it are not sent; null for no cap. */
  capUsd: string | null
  /** The length of the plan: rows, or requests of a robustness check. */
  rowCount: number
  totals: RunTotals
  /** What the user accepted in the results; at most one per question. */
  acceptances: Acceptance[]
  /** Present when each row is asked about in several variants. Rows of plan and results are then `variantRow`s. */
  robustness?: RobustnessCheck
  /** The id of the run that this one starts after, to be compared with it. */
  follows?: string
}

/** What version 0.1.0 stored in another way: it called a robustness check a probe, and had numbers for "never". */
export interface EarlierRun {
  probe?: RobustnessCheck
  acceptances?: Acceptance[]
}

/** Returns a band with null for "never", which earlier versions stored as 0 and as a number above 1. */
function withNever({ low, high }: NonNullable<Acceptance["band"]>): Acceptance["band"] {
  return { low: low === 0 ? null : low, high: high !== null && high > 1 ? null : high }
}

/** Returns a stored run as the present version stores it. */
export function renamed<Run extends object>({ probe, ...run }: Run & EarlierRun) {
  const acceptances = run.acceptances?.map(({ band, ...rest }) => ({ ...rest, band: band && withNever(band) }))
  return { ...run, ...(probe && { robustness: probe }), ...(acceptances && { acceptances }) }
}

/** A run before it begins. */
export interface RunDraft extends Pick<EvaluationRun, "form" | "pinnedId" | "mapping" | "capUsd" | "robustness"> {
  /** Indexes of rows, or `variantRow`s of a robustness check, in the order to send them. */
  rows: number[]
}

/** What varies: the questions of each row, or its state. */
export type RobustnessCheck = { kind: "stability"; checks: StabilityCheck[] } | { kind: "ablation" }

/** `repeated`: the same request again. */
export type StabilityCheck = "repeated" | RewordingName

/** More variants of a row than any robustness check has. */
const VARIANTS = 64

/** Returns the number that stands for one variant of a row in plan and results. Variant 0 is the row as it is. */
export const variantRow = (row: number, variant: number): number => row * VARIANTS + variant

/** Returns what a number in the plan or the results of a run stands for. */
export const variantOf = (
  { robustness }: Pick<EvaluationRun, "robustness">,
  row: number,
): { row: number; variant: number } =>
  robustness ? { row: Math.floor(row / VARIANTS), variant: row % VARIANTS } : { row, variant: 0 }

export interface RunTotals {
  answered: number
  failed: number
  inDoubt: number
  tokens: number
  /** Exact USD text: the sum over the answered rows. */
  costUsd: string
}

export type PauseReason =
  | { kind: "user" }
  /** The tab that ran it was closed or reloaded. */
  | { kind: "interrupted" }
  /** The next row could take the cost above the cap. */
  | { kind: "cap" }
  /** The server would refuse every further row: the balance, the key's limit, the session. `refusal` is its error as JSON. */
  | { kind: "refused"; code: string; refusal: string }
  /** It starts when the run that it follows is finished. */
  | { kind: "queued" }
  /** Many rows in succession failed, the last one with this code. */
  | { kind: "failing"; code: string }

/** What is known about one row of a run. A row that was never sent has no result. */
export type RowResult = { runId: string; row: number } & RowOutcome

type RowOutcome =
  /** Refused without a charge. It will be sent again. */
  | { status: "waiting" }
  /** `attempt` is the row's `Idempotency-Key`, `sentAt` the time of its first request (ISO 8601). */
  | { status: "sent"; attempt: string; sentAt: string }
  /** No response of the API arrived: the tab closed, or the connection or a proxy failed. The row may have been charged. */
  | { status: "in_doubt"; attempt: string; sentAt: string }
  | AnsweredRow
  | { status: "failed"; code: string; message: string; requestId: string | null }

export interface AnsweredRow {
  status: "answered"
  /** Per question in request order, one probability per outcome (`Outcomes`). Null: no answer that fits the question. */
  answers: (number[] | null)[]
  tokens: number
  /** Exact USD text; null when the model has no known price. */
  costUsd: string | null
  requestId: string | null
  latencyMs: number
}

/** A run with all that is stored of it. */
export interface RunContents {
  run: EvaluationRun
  /** The rows to ask about (`variantRow`s of a robustness check), in the order of the file. */
  plan: number[]
  /** In the order of the file. */
  results: RowResult[]
}

/** All that is stored of a set, beside the set. */
export interface SetContents {
  rows: DataRow[]
  /** Newest first. */
  runs: RunContents[]
}

export const NO_TOTALS: RunTotals = { answered: 0, failed: 0, inDoubt: 0, tokens: 0, costUsd: "0.000000000000" }

export interface RunProgress {
  run: EvaluationRun
  inFlight: number
  /** Rows settled per second, over the last seconds. */
  perSecond: number
  /** True while the server does not respond. */
  isOffline: boolean
}
