import fc from "fast-check"
import { expect, test } from "vitest"
import type { AcceptedClaim, AcceptedProof } from "@/lib/shared/export-code/export-test"
import { exampleForm } from "@/lib/shared/request-form/examples"
import { newRun, newSet } from "@/test/scripted-run"
import type {
  Correction,
  DataRow,
  EvaluationSet,
  LabelMapping,
  QuestionGoal,
  RowFault,
  StateMapping,
} from "../rows/evaluation-set"
import type { EvaluationRun, PauseReason, RobustnessCheck, RowResult, SetContents } from "../run/evaluation-run"
import { readSetFile, setOfFile, writeSetFile } from "./set-file"

// Every type below is complete: a field that is added to a stored type is missing here until it is generated, and then the file
// has to hold it.
type Complete<Type> = { [Name in keyof Required<Type>]: fc.Arbitrary<Type[Name]> }
type Kinds<Type extends { kind: string }> = { [Kind in Type["kind"]]: Complete<Extract<Type, { kind: Kind }>> }
type Statuses = { [Status in RowResult["status"]]: Complete<Extract<RowResult, { status: Status }>> }

const oneOf = <Type>(shapes: object): fc.Arbitrary<Type> =>
  fc.oneof(...Object.values(shapes).map((shape) => fc.record(shape))) as fc.Arbitrary<Type>
const orNull = <Type>(value: fc.Arbitrary<Type>) => fc.option(value, { nil: null })
const orMissing = <Type>(value: fc.Arbitrary<Type>) => fc.option(value, { nil: undefined })

const text = fc.string({ maxLength: 8 })
const count = fc.nat({ max: 20_000 })
const share = fc.double({ min: 0, max: 1, noNaN: true })
const usd = fc.nat({ max: 9_999 }).map((cents) => `${cents}.000000000001`)
const form = fc.constant({ ...exampleForm("m"), keyId: "key_secret", modelSpelled: '"m"' })

const states: Kinds<StateMapping> = {
  column: { kind: fc.constant("column"), column: text },
  template: { kind: fc.constant("template"), template: text },
  row: { kind: fc.constant("row"), without: fc.array(text) },
}
const label: Complete<LabelMapping> = {
  question: text,
  column: text,
  firstLevel: fc.constantFrom(0, 1),
  answers: orMissing(fc.record({ yes: text, no: text })),
}
const mapping = fc.record<EvaluationRun["mapping"]>({
  state: oneOf<StateMapping>(states),
  labels: fc.array(fc.record(label)),
  group: orMissing(text),
} satisfies Complete<EvaluationRun["mapping"]>)
const fault: Complete<RowFault> = { line: count, reason: text }
const correction: Complete<Correction> = { question: text, row: count, label: orNull(count), outcome: orMissing(text) }
const goal: Complete<QuestionGoal> = {
  question: text,
  goal: fc.record({
    kind: fc.constantFrom("sides", "target", "costs"),
    target: share,
    targets: fc.record({ yes: share, no: share }),
    costs: fc.record({ falseYes: share, falseNo: share, review: share }),
  } satisfies Complete<QuestionGoal["goal"]>),
}
const set: Complete<EvaluationSet> = {
  id: text,
  accountId: fc.constant("acct_file"),
  name: text,
  createdAt: text,
  source: fc.record({ format: fc.constantFrom("csv", "jsonl", "json"), name: text }),
  columns: fc.array(text),
  rowCount: count,
  unreadable: fc.array(fc.record(fault)),
  mapping,
  form,
  corrections: fc.array(fc.record(correction)),
  joined: orMissing(fc.array(text)),
  goals: orMissing(fc.array(fc.record(goal))),
  sliceColumn: orMissing(text),
  isCheck: orMissing(fc.constant(true)),
}
const row: Complete<DataRow> = { index: count, line: count, cells: fc.array(text) }
const pauses: Kinds<PauseReason> = {
  user: { kind: fc.constant("user") },
  interrupted: { kind: fc.constant("interrupted") },
  cap: { kind: fc.constant("cap") },
  refused: { kind: fc.constant("refused"), code: text, refusal: fc.constant("{}") },
  queued: { kind: fc.constant("queued") },
  failing: { kind: fc.constant("failing"), code: text },
}
const checks: Kinds<RobustnessCheck> = {
  stability: {
    kind: fc.constant("stability"),
    checks: fc.subarray(["repeated", "reversed", "rotated", "swapped"] as const).map((checks) => [...checks]),
  },
  ablation: { kind: fc.constant("ablation") },
}
const sent = { runId: text, row: count, attempt: text, sentAt: fc.constant("2026-11-22T10:02:00.000Z") }
const results: Statuses = {
  waiting: { runId: text, row: count, status: fc.constant("waiting") },
  sent: { ...sent, status: fc.constant("sent") },
  in_doubt: { ...sent, status: fc.constant("in_doubt") },
  answered: {
    runId: text,
    row: count,
    status: fc.constant("answered"),
    answers: fc.array(orNull(fc.array(share))),
    tokens: count,
    costUsd: orNull(usd),
    requestId: orNull(text),
    latencyMs: count,
  },
  failed: {
    runId: text,
    row: count,
    status: fc.constant("failed"),
    code: text,
    message: text,
    requestId: orNull(text),
  },
}
const acceptance: Complete<EvaluationRun["acceptances"][number]> = {
  question: text,
  // Earlier versions stored 0 for "never no".
  band: orNull(fc.record({ low: orNull(share.filter((low) => low > 0)), high: orNull(share) })),
  minAccuracy: orNull(share),
  maxWrongOfAutomatic: orNull(share),
  minAutomatic: orNull(share),
  maxWrongOfYes: orMissing(orNull(share)),
  maxWrongOfNo: orMissing(orNull(share)),
  options: orMissing(fc.array(fc.tuple(text, orNull(share)))),
  maxWrongOfOption: orMissing(orNull(share)),
  maxMeanError: orNull(share),
  proof: orMissing(
    fc.record({
      acceptedAt: fc.constant("2026-11-28T10:00:00.000Z"),
      mark: text,
      rows: count,
      risk: share,
      seed: count,
      claims: fc.array(
        fc.record({
          subject: fc.constantFrom("yes", "no", "all", "option", "within"),
          option: orMissing(text),
          target: share,
          method: fc.constantFrom("walk", "split"),
          automatic: count,
          wrong: count,
        } satisfies Complete<AcceptedClaim>),
      ),
      doubts: fc.option(fc.array(text), { nil: undefined }),
    } satisfies Complete<AcceptedProof>),
  ),
}
const run: Complete<EvaluationRun> = {
  id: fc.uuid(),
  setId: text,
  accountId: fc.constant("acct_file"),
  startedAt: text,
  status: fc.constantFrom("running", "paused", "finished", "cancelled"),
  pause: orNull(oneOf<PauseReason>(pauses)),
  form,
  pinnedId: text,
  mapping,
  keyName: text,
  capUsd: orNull(usd),
  rowCount: count,
  totals: fc.record<EvaluationRun["totals"]>({
    answered: count,
    failed: count,
    inDoubt: count,
    tokens: count,
    costUsd: usd,
  } satisfies Complete<EvaluationRun["totals"]>),
  acceptances: fc.array(fc.record(acceptance)),
  robustness: orMissing(oneOf<RobustnessCheck>(checks)),
  follows: fc.constant(undefined),
}
const contents = fc
  .record<SetContents>({
    rows: fc.array(fc.record(row)),
    runs: fc.array(
      fc.record({ run: fc.record(run), plan: fc.array(count), results: fc.array(oneOf<RowResult>(results)) }),
      { maxLength: 4 },
    ),
  } satisfies Complete<SetContents>)
  // Each run follows the one that began before it.
  .map(({ rows, runs }): SetContents => {
    const followed = (at: number) => runs[at + 1]?.run.id
    return { rows, runs: runs.map((each, at) => ({ ...each, run: { ...each.run, follows: followed(at) } })) }
  })

function imported(stored: EvaluationSet, whole: SetContents) {
  const written = writeSetFile(stored, whole)
  expect(written).not.toContain("key_secret")
  const read = readSetFile(written)
  if (!read.ok) throw new Error(read.message)
  return setOfFile("acct_other", read.file)
}

test("every field of a set, its rows, runs and results is in its file; ids, the account and the paying key are not", () => {
  fc.assert(
    fc.property(fc.record(set), contents, (stored, whole) => {
      const { set: added, contents: found } = imported(stored, whole)
      const ids = found.runs.map(({ run: { id } }) => id)
      expect(added).toEqual({
        ...stored,
        id: expect.any(String),
        accountId: "acct_other",
        rowCount: whole.rows.length,
        form: { ...stored.form, keyId: "" },
        // Who imports a set keeps it.
        isCheck: undefined,
      })
      expect(found.rows).toEqual(whole.rows.map((each, index) => ({ ...each, index })))
      expect(found.runs).toEqual(
        whole.runs.map((each, at) => ({
          run: {
            ...each.run,
            id: ids[at],
            setId: added.id,
            accountId: "acct_other",
            form: { ...each.run.form, keyId: "" },
            follows: ids[at + 1],
            rowCount: each.plan.length,
            status: expect.any(String),
            pause: expect.toSatisfy((pause) => pause === null || typeof pause.kind === "string"),
          },
          plan: each.plan,
          results: each.results.map((result) => ({ ...result, runId: ids[at] })),
        })),
      )
      expect(ids.toSorted().toReversed()).toEqual(ids)
    }),
  )
})

const SET = newSet(newRun({ form: exampleForm("m") }), { columns: ["text", "refund"] })
const ROWS: DataRow[] = [{ index: 0, line: 1, cells: ['"text 0"', "true"] }]
const contentsWith = (...runs: EvaluationRun[]): SetContents => {
  const result = { row: 0, status: "answered", tokens: 3, costUsd: null, requestId: null, latencyMs: 7 } as const
  return {
    rows: ROWS,
    runs: runs.map((each) => ({
      run: each,
      plan: [0],
      results: [{ ...result, runId: each.id, answers: [[0.25, 0.75]] }],
    })),
  }
}

test("numbers that earlier versions stored for “never” are read as null", () => {
  const accepted = {
    question: "refund",
    minAccuracy: null,
    maxWrongOfAutomatic: 0.02,
    minAutomatic: 0.5,
    maxMeanError: null,
  }
  const bandOf = (low: number, high: number) => {
    const run = newRun({ id: "1", acceptances: [{ ...accepted, band: { low, high } }] })
    return imported(SET, contentsWith(run)).contents.runs[0]?.run.acceptances[0]?.band
  }
  expect(bandOf(0.2, 1 + Number.EPSILON)).toEqual({ low: 0.2, high: null })
  expect(bandOf(0, 0.8)).toEqual({ low: null, high: 0.8 })
  expect(bandOf(0.2, 1)).toEqual({ low: 0.2, high: 1 })
})

test("a run that waits for the run before it still waits for it after the import, so both share one cap", () => {
  const first = newRun({ id: "1", status: "paused", capUsd: "1.50" })
  const second = newRun({ id: "2", status: "paused", pause: { kind: "queued" }, capUsd: "1.50", follows: "1" })
  const [next, before] = imported(SET, contentsWith(second, first)).contents.runs
  expect(next?.run).toMatchObject({ status: "paused", pause: { kind: "queued" }, capUsd: "1.50" })
  expect(next?.run.follows).toBe(before?.run.id)
})

test.each<[string, Pick<EvaluationRun, "status" | "pause">, Pick<EvaluationRun, "status" | "pause">]>([
  ["running", { status: "running", pause: null }, { status: "paused", pause: { kind: "interrupted" } }],
  ["never started", { status: "paused", pause: null }, { status: "paused", pause: null }],
  ["stopped at its cap", { status: "paused", pause: { kind: "cap" } }, { status: "paused", pause: { kind: "cap" } }],
  [
    "refused for its key",
    { status: "paused", pause: { kind: "refused", code: "key_limit_reached", refusal: "{}" } },
    { status: "paused", pause: { kind: "interrupted" } },
  ],
  ["finished", { status: "finished", pause: null }, { status: "finished", pause: null }],
])("a run that was %s can be continued from its file", (_, stored, expected) => {
  expect(imported(SET, contentsWith(newRun(stored))).contents.runs[0]?.run).toMatchObject(expected)
})

test("a file of an earlier version opens, and its paused runs can be resumed", () => {
  const { set: kept, runs, ...file } = JSON.parse(writeSetFile(SET, contentsWith(newRun({ status: "paused" }))))
  const [{ id: _, pause: __, ...run }] = runs
  const earlier = { ...run, follows: "2026 gone", probe: { kind: "ablation" } }
  const read = readSetFile(JSON.stringify({ ...file, set: kept, runs: [earlier] }))
  if (!read.ok) throw new Error(read.message)
  const [found] = setOfFile("acct_other", read.file).contents.runs
  expect(found?.run).toMatchObject({
    status: "paused",
    pause: { kind: "interrupted" },
    robustness: { kind: "ablation" },
  })
  expect(found?.run.follows).toBeUndefined()
})

test("a set with a long name and many runs is imported again", () => {
  const runs = Array.from({ length: 101 }, (_, at) => newRun({ id: `2026 ${at}` }))
  const { set: added, contents: found } = imported({ ...SET, name: "n".repeat(300) }, contentsWith(...runs))
  expect(added.name).toBe("n".repeat(300))
  expect(found.runs).toHaveLength(101)
})

test.each([
  ["cut off", (file: string) => file.slice(0, -20)],
  ["of another version", (file: string) => file.replace('"version":1', '"version":2')],
  ["with a probability above 1", (file: string) => file.replace("0.75", "1.75")],
  ["with a row that is no list", (file: string) => file.replace('["\\"text 0\\"","true"]', '"text"')],
])("a file %s is refused", (_, damage) => {
  const written = writeSetFile(SET, contentsWith(newRun()))
  const damaged = damage(written)
  expect(damaged).not.toBe(written)
  expect(readSetFile(damaged)).toEqual({
    ok: false,
    message: "The file is damaged or was made by another version. Export the set again.",
  })
})
