import { readFile, writeFile } from "node:fs/promises"
import path from "node:path"
import { writeSetFile } from "@/lib/shared/evaluate/export/set-file"
import { newSet } from "@/lib/shared/evaluate/rows/new-set"
import { readTable } from "@/lib/shared/evaluate/rows/read-table"
import { LEXICAL_BASELINE } from "@/lib/shared/models/model-ids"
import { exampleForm } from "@/lib/shared/request-form/examples"

const SAMPLE = "support-tickets.csv"
const ROWS = 300

/** Returns a set of labelled rows as the page Evaluate exports one. */
export async function demoSetFile(): Promise<string> {
  const csv = await readFile(path.join(import.meta.dirname, "../../public/samples", SAMPLE))
  const table = await readTable(new Blob([new Uint8Array(csv)]), SAMPLE)
  const rows = table.rows.slice(0, ROWS)
  const set = newSet("", { ...table, rows }, SAMPLE, exampleForm(LEXICAL_BASELINE))
  return writeSetFile({ ...set, name: "Demo tickets" }, { rows, runs: [] })
}

/** Writes the set into a folder. Returns the file's path. */
export async function writeDemoSet(folder: string): Promise<string> {
  const file = path.join(folder, "demo-set.json")
  await writeFile(file, await demoSetFile())
  return file
}
