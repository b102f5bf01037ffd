import "fake-indexeddb/auto"
import { expect, test } from "vitest"
import { asText } from "@/lib/shared/json-source/text-or-json"
import { emptyQuestion } from "@/questions/question-form"
import { markInterrupted, queueOf } from "../run/prepare-run"
import { type EvaluationRun, NO_TOTALS, type RowResult } from "./evaluation-run"
import type { EvaluationSet } from "./evaluation-set"
import { addRun, addSet, findSet, planOf, resultsOf, rowsOf, runsOf, saveRun } from "./evaluation-store"
import { importSet, readSetFile, writeSetFile } from "./set-file"

const SET: EvaluationSet = {
  id: "2026 a",
  accountId: "acct_file",
  name: "Tickets",
  createdAt: "2026-11-22T10:00:00Z",
  source: { format: "jsonl", name: "tickets.jsonl" },
  columns: ["text", "refund"],
  rowCount: 5,
  unreadable: [{ line: 9, reason: "It is not a JSON object." }],
  mapping: { state: { kind: "template", template: "{{text}}" }, labels: [] },
  form: { model: "m", keyId: "key_secret", state: asText(""), questions: [emptyQuestion("noul", "refund")] },
  corrections: [
    { question: "refund", row: 0, label: null },
    { question: "refund", row: 1, label: 1, outcome: "yes" },
    // Of an earlier version.
    { question: "refund", row: 2, label: 0 },
  ],
}
const ROWS = Array.from({ length: 5 }, (_, index) => ({ index, line: index + 1, cells: [`"text ${index}"`, "true"] }))
const RUN: EvaluationRun = {
  id: "2026 run",
  setId: SET.id,
  accountId: "acct_file",
  startedAt: "2026-11-22T10:01:00Z",
  status: "running",
  pause: null,
  form: SET.form,
  pinnedId: "m-1",
  mapping: SET.mapping,
  keyName: "Production",
  capUsd: "1.50",
  rowCount: 5,
  totals: NO_TOTALS,
  acceptances: [],
}
const RESULTS: RowResult[] = [
  {
    runId: RUN.id,
    row: 0,
    status: "answered",
    answers: [[0.25, 0.75]],
    tokens: 3,
    costUsd: "0.000003000000",
    requestId: "req_1",
    latencyMs: 7,
  },
  { runId: RUN.id, row: 1, status: "failed", code: "upstream_error", message: "Failed.", requestId: null },
  { runId: RUN.id, row: 2, status: "sent", attempt: "first", sentAt: "2026-11-22T10:02:00.000Z" },
  { runId: RUN.id, row: 3, status: "waiting" },
]

async function store(): Promise<void> {
  if (await findSet("acct_file", SET.id)) return
  await addSet(SET, ROWS)
  await addRun(RUN, [0, 1, 2, 3, 4])
  await saveRun(RUN, RESULTS)
}

test("an exported set is imported into another account as it was, without the paying key", async () => {
  await store()
  const text = await writeSetFile(SET)
  expect(text).not.toContain("key_secret")
  const read = readSetFile(text)
  if (!read.ok) throw new Error(read.message)
  const id = await importSet("acct_other", read.file)
  const form = { ...SET.form, keyId: "" }
  expect(await findSet("acct_other", id)).toEqual({ ...SET, id, accountId: "acct_other", form })
  expect(await rowsOf(id)).toEqual(ROWS)
  const [run] = await runsOf(id)
  expect(run).toEqual({
    ...RUN,
    id: expect.any(String),
    setId: id,
    accountId: "acct_other",
    form,
    status: "paused",
    pause: { kind: "interrupted" },
  })
  expect(await planOf(run?.id ?? "")).toEqual([0, 1, 2, 3, 4])
  expect(await resultsOf(run?.id ?? "")).toEqual(RESULTS.map((result) => ({ ...result, runId: run?.id })))
})

test("a set with a long name and many runs is imported again", async () => {
  const set = { ...SET, id: "2026 many", name: "n".repeat(300), corrections: [] }
  await addSet(set, ROWS)
  for (let at = 0; at < 101; at++) await addRun({ ...RUN, id: `2026 many ${at}`, setId: set.id }, [])
  const read = readSetFile(await writeSetFile(set))
  if (!read.ok) throw new Error(read.message)
  const id = await importSet("acct_many", read.file)
  expect(await findSet("acct_many", id)).toMatchObject({ name: "n".repeat(300) })
  expect(await runsOf(id)).toHaveLength(101)
})

test.each([
  ["cut off", (text: string) => text.slice(0, -20)],
  ["of another version", (text: string) => text.replace('"version":1', '"version":2')],
  ["with a probability above 1", (text: string) => text.replace("0.75", "1.75")],
  ["with a row that is no list", (text: string) => text.replace('["\\"text 0\\"","true"]', '"text"')],
])("a file %s is refused", async (_, damage) => {
  await store()
  const text = await writeSetFile(SET)
  const damaged = damage(text)
  expect(damaged).not.toBe(text)
  expect(readSetFile(damaged)).toEqual({
    ok: false,
    message: "The file is damaged or was made by another version. Export the set again.",
  })
})

test("after an interruption rows under way are in doubt, and keep their attempt", async () => {
  await store()
  const run = await markInterrupted(RUN)
  expect(run).toMatchObject({
    status: "paused",
    pause: { kind: "interrupted" },
    totals: { answered: 1, failed: 1, inDoubt: 1, tokens: 3, costUsd: "0.000003000000" },
  })
  const results = await resultsOf(RUN.id)
  const rowsFor = (sending: Parameters<typeof queueOf>[2], now: string) =>
    queueOf([0, 1, 2, 3, 4], results, sending, Date.parse(now))
  const soon = "2026-11-22T11:00:00Z"
  const inDoubt = { row: 2, attempt: "first", sentAt: "2026-11-22T10:02:00.000Z", former: "in_doubt" }
  expect(rowsFor("rest", soon)).toMatchObject([inDoubt, { row: 3, former: null }, { row: 4, former: null }])
  expect(rowsFor("failed", soon)).toMatchObject([{ row: 1, former: "failed" }])
  expect(rowsFor("in_doubt", soon)).toEqual([inDoubt])
})

test("a row in doubt is sent again only on request once the server may charge it a second time", async () => {
  await store()
  await markInterrupted(RUN)
  const results = await resultsOf(RUN.id)
  const rowsFor = (sending: Parameters<typeof queueOf>[2]) =>
    queueOf([0, 1, 2, 3, 4], results, sending, Date.parse("2026-11-23T10:00:00Z")).map(({ row }) => row)
  expect(rowsFor("rest")).toEqual([3, 4])
  expect(rowsFor("in_doubt")).toEqual([2])
})
