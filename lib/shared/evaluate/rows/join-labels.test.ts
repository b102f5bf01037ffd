import { describe, expect, test } from "vitest"
import { choice, noul } from "@/lib/shared/request-form/examples"
import { newRun, newSet } from "@/test/scripted-run"
import { askedRows } from "../run/asked-rows"
import { guessKey, type JoinKey, joinableColumn, joinLabels, withJoinedColumn } from "./join-labels"
import { joinReport } from "./join-report"
import { questionsOf, stateOf } from "./read-rows"
import { readTable } from "./read-table"

const FORM = { ...newRun().form, questions: [noul("refund", "Refund?", "", "")] }
const [REFUND] = questionsOf(FORM)
const [TEAM] = questionsOf({
  ...FORM,
  questions: [
    choice("team", "Team?", [
      ["billing", ""],
      ["late", ""],
    ]),
  ],
})
if (!REFUND || !TEAM) throw new Error("the questions are invalid")

const tableOf = (text: string, name = "rows.csv") => readTable(new Blob([text]), name)

/** A set from a file whose row in line 4 cannot be read. */
async function openedSet(text = "id,text\na,first\nb,second\nbroken\nc,third\na ,fourth\n") {
  const { columns, rows, unreadable } = await tableOf(text)
  const mapping = { state: { kind: "row" as const, without: [] }, labels: [] }
  const run = newRun({ form: FORM, mapping })
  return { set: newSet(run, { columns, unreadable, mapping, rowCount: rows.length }), rows, run }
}

const BY_ID: JoinKey = { own: "id", other: "ticket" }

describe("labels of another file", () => {
  test("belong to the rows with the same key, and what does not match is named by its line", async () => {
    const own = await openedSet("id,text\na,1\nb,2\nc,3\nd,4\ne,5\na ,6\n")
    const file = await tableOf("ticket,answer\nb,no\na,yes\nx,yes\nc,yes\nc,no\nd,\nb, NO\n")
    const joined = joinLabels(own, file, BY_ID, "answer")
    expect(joined).toEqual({
      texts: ["yes", "no", "", "", "", "yes"],
      matched: 3,
      missing: [6],
      empty: [5],
      unused: [4],
      conflicting: [5, 6],
    })
    expect(joinReport(joined, REFUND, 6)).toEqual([
      "3 of 6 rows get a right answer.",
      "1 row of this set has no row in the file: line 6.",
      "1 row of this set has a row without an answer in the file: line 5.",
      "1 row of the file belongs to no row of this set: line 4 of the file.",
      "2 rows of the file have the key of another row and a different answer, so none of these answers is used: lines 5, 6 of the file.",
    ])
  })

  test("belong by the order of the rows, also after a row that could not be read", async () => {
    const own = await openedSet()
    const file = await tableOf("answer\nyes\nno\nno\nyes\nno\nyes\n")
    const joined = joinLabels(own, file, null, "answer")
    expect(joined.texts).toEqual(["yes", "no", "yes", "no"])
    // Line 4 of the file is the answer to the row that could not be read.
    expect([joined.missing, joined.unused]).toEqual([[], [4, 7]])
  })

  test("that are no answer of the question are named before they are joined", async () => {
    const own = await openedSet("id,text\na,1\nb,2\nc,3\nd,4\n")
    const file = await tableOf("ticket,answer\na,billing\nb,Late\nc,foo\nd,foo\n")
    expect(joinReport(joinLabels(own, file, BY_ID, "answer"), TEAM, 4)).toEqual([
      "4 of 4 rows get a right answer.",
      "2 rows would have a text that is no answer of “team”: “foo”.",
    ])
    const two = await tableOf("ticket,answer\na,ham\nb,spam\n")
    // The user says later which of two values means yes.
    expect(joinReport(joinLabels(own, two, BY_ID, "answer"), REFUND, 4)).toHaveLength(2)
  })

  test("are found in a file of JSON lines, and a set of JSON keeps its format", async () => {
    const { columns, rows, unreadable } = await tableOf('{"id":1,"text":"a"}\n{"id":2,"text":"b"}\n', "rows.jsonl")
    const set = newSet(newRun(), { columns, unreadable, source: { format: "jsonl", name: "rows.jsonl" } })
    const file = await tableOf("id,label\n2,yes\n1,no\n")
    const joined = joinLabels({ set, rows }, file, { own: "id", other: "id" }, "label")
    expect(joined.texts).toEqual(["no", "yes"])
    expect(withJoinedColumn({ set, rows }, "label", joined.texts).rows.map(({ cells }) => cells)).toEqual([
      ["1", '"a"', '"no"'],
      ["2", '"b"', '"yes"'],
    ])
  })
})

test("a joined column changes no state that a run has sent, and gives its rows labels", async () => {
  const { set, rows, run } = await openedSet()
  const before = askedRows(set, rows, run)
  const { change, column, rows: changed } = withJoinedColumn({ set, rows }, "text", ["yes", "no", "", "yes"])
  expect([column, change]).toEqual(["text (2)", { columns: ["id", "text", "text (2)"], joined: ["text (2)"] }])
  const labels = [{ question: "refund", column, firstLevel: 0 as const }]
  const after = askedRows({ ...set, ...change, mapping: { ...set.mapping, labels } }, changed, run)
  expect(after.usable.map(({ state }) => state)).toEqual(before.usable.map(({ state }) => state))
  expect(after.usable.map((row) => row.labels)).toEqual([[1], [0], [null], [1]])
  expect(stateOf({ ...set, ...change }, run.mapping, changed[0] ?? rows[0] ?? { index: 0, line: 0, cells: [] })).toBe(
    '{"id":"a","text":"first"}',
  )
})

test("a second join under the same name replaces the first", async () => {
  const { set, rows } = await openedSet()
  const first = withJoinedColumn({ set, rows }, "answer", ["yes", "yes", "yes", "yes"])
  const second = withJoinedColumn({ set: { ...set, ...first.change }, rows: first.rows }, "answer", ["no", "", "", ""])
  expect(second.change).toEqual({ columns: ["id", "text", "answer"], joined: ["answer"] })
  expect(second.rows.map(({ cells }) => cells[2])).toEqual(["no", "", "", ""])
})

test("the key and the column are guessed: a shared column that matches most rows, and one whose texts are answers", async () => {
  const own = await openedSet()
  const file = await tableOf("id,note,answer\na,x,yes\nb,y,no\nc,z,yes\n")
  const key = guessKey(own, file)
  expect(key).toEqual({ own: "id", other: "id" })
  expect(joinableColumn(REFUND, file, key)).toBe("answer")
  expect(guessKey(own, await tableOf("id,answer\n1,yes\n2,no\n"))).toBeNull()
})
