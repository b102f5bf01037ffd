import { itemsOf, rootOf, sourceOf } from "@/lib/shared/json-source/json-parts"
import { faultOfJson } from "@/lib/shared/request-form/find-fault"
import { BadFile } from "./bad-file"
import type { Table } from "./evaluation-set"
import { objectCells } from "./read-rows"
import type { RowSample } from "./row-sample"
import { addRow, requireUsable } from "./table"

const NO_OBJECT = "It is not a JSON object."

/** Adds the members of a JSON object as the cells of a row. A name that is new becomes a column. */
function addObject(table: Table, line: number, json: string, sample: RowSample | null): void {
  const members = objectCells(json)
  if (!members) return void table.unreadable.push({ line, reason: NO_OBJECT })
  for (const name of members.keys()) if (!table.columns.includes(name)) table.columns.push(name)
  const cells = table.columns.map((column) => members.get(column) ?? "")
  addRow(table, line, cells, sample)
}

/** Reads a file with one JSON object per line. Throws `BadFile`. */
export async function readJsonl(texts: AsyncIterable<string>, sample: RowSample | null): Promise<Table> {
  const table: Table = { format: "jsonl", columns: [], rows: [], unreadable: [] }
  let line = 0
  let rest = ""
  const add = (text: string) => {
    line++
    if (text.trim() === "") return
    const fault = faultOfJson(text, "The line")
    if (fault) table.unreadable.push({ line, reason: fault.message })
    else addObject(table, line, text, sample)
  }
  for await (const text of texts) {
    const lines = (rest + text).split("\n")
    rest = lines.pop() ?? ""
    lines.forEach(add)
  }
  add(rest)
  return requireUsable(table)
}

/** Reads a file with one JSON array of objects. Throws `BadFile`. */
export async function readJsonArray(texts: AsyncIterable<string>, sample: RowSample | null): Promise<Table> {
  const pieces: string[] = []
  for await (const text of texts) pieces.push(text)
  const text = pieces.join("")
  const fault = faultOfJson(text, "The file")
  if (fault) throw new BadFile(`${fault.message} The error is in line ${fault.line}, column ${fault.column}.`)
  const items = itemsOf(text, rootOf(text))
  if (!items)
    throw new BadFile("The file is not a JSON array of objects. Wrap the rows in [ and ], or use one per line.")
  const table: Table = { format: "json", columns: [], rows: [], unreadable: [] }
  let line = 1
  let counted = 0
  for (const item of items) {
    line += text.slice(counted, item.start).split("\n").length - 1
    counted = item.start
    addObject(table, line, sourceOf(text, item), sample)
  }
  return requireUsable(table)
}
