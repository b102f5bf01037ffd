import {
  type DBSchema,
  type IDBPDatabase,
  type IDBPObjectStore,
  type IDBPTransaction,
  openDB,
  type StoreNames,
} from "idb"
import type { DataRow, EvaluationSet } from "@/lib/shared/evaluate/rows/evaluation-set"
import {
  type EarlierRun,
  type EvaluationRun,
  type RowResult,
  type RunContents,
  renamed,
  type SetContents,
} from "@/lib/shared/evaluate/run/evaluation-run"

/** Rows are stored in pieces: 20,000 records of their own would take seconds to write. */
const PIECE_ROWS = 500

/** Results are read in parts of this many: the browser copies a part in one go, and 20,000 would take a second on a phone. */
const PART_RESULTS = 1_000

interface RowPiece {
  setId: string
  at: number
  rows: DataRow[]
}

/** The rows of a run, apart from the run: each batch of results stores the run again. */
interface RunPlan {
  runId: string
  rows: number[]
}

interface Evaluations extends DBSchema {
  sets: { key: string; value: EvaluationSet; indexes: { accountId: string } }
  rows: { key: [setId: string, at: number]; value: RowPiece }
  runs: { key: string; value: EvaluationRun & EarlierRun; indexes: { setId: string } }
  plans: { key: string; value: RunPlan }
  results: { key: [runId: string, row: number]; value: RowResult }
}

const ALL: StoreNames<Evaluations>[] = ["sets", "rows", "runs", "plans", "results"]

let opened: Promise<IDBPDatabase<Evaluations>> | null = null

/** One connection for the page: opening one per batch of results would cost more than the batch. */
function open(): Promise<IDBPDatabase<Evaluations>> {
  opened ??= openDB<Evaluations>("evaluate", 1, {
    upgrade(db) {
      // Ids start with the time, so the indexes list sets and runs in order of time.
      db.createObjectStore("sets", { keyPath: "id" }).createIndex("accountId", "accountId")
      db.createObjectStore("rows", { keyPath: ["setId", "at"] })
      db.createObjectStore("runs", { keyPath: "id" }).createIndex("setId", "setId")
      db.createObjectStore("plans", { keyPath: "runId" })
      db.createObjectStore("results", { keyPath: ["runId", "row"] })
    },
    blocking(_current, _blocked, event) {
      ;(event.target as IDBDatabase).close()
      opened = null
    },
    terminated() {
      opened = null
    },
  }).catch((error: unknown) => {
    // The next call tries again.
    opened = null
    throw error
  })
  return opened
}

/** Every record of one parent: IndexedDB sorts arrays after every number. */
const recordsOf = (id: string): IDBKeyRange => IDBKeyRange.bound([id], [id, []])

const allSets = async (accountId: string): Promise<EvaluationSet[]> =>
  (await open()).getAllFromIndex("sets", "accountId", accountId)

/** Returns the account's sets, newest first, without the checks of single answers. */
export const listSets = async (accountId: string): Promise<EvaluationSet[]> =>
  (await allSets(accountId)).filter(({ isCheck }) => !isCheck).reverse()

/** Returns the checks of single answers that the account did not keep as sets. */
export const listChecks = async (accountId: string): Promise<EvaluationSet[]> =>
  (await allSets(accountId)).filter(({ isCheck }) => isCheck)

/** Returns a set, or null when this browser has none with this id for the account. */
export async function findSet(accountId: string, id: string): Promise<EvaluationSet | null> {
  const set = await (await open()).get("sets", id)
  return set?.accountId === accountId ? set : null
}

/** Returns whether a write was rejected because the browser has no room. Its transaction ends with either of these names. */
export const isOutOfRoom = (error: unknown): boolean =>
  error instanceof DOMException && /^(QuotaExceeded|Abort)Error$/.test(error.name)

type Writing = IDBPTransaction<Evaluations, StoreNames<Evaluations>[], "readwrite">

/** Adds new runs with their plans and results. */
const addRunsIn = (transaction: Writing, runs: readonly RunContents[]): Promise<unknown>[] =>
  runs.flatMap(({ run, plan, results }) => [
    transaction.objectStore("runs").add(run),
    transaction.objectStore("plans").add({ runId: run.id, rows: plan }),
    ...results.map((result) => transaction.objectStore("results").put(result)),
  ])

const piecesOf = (setId: string, rows: readonly DataRow[]): RowPiece[] =>
  Array.from({ length: Math.ceil(rows.length / PIECE_ROWS) }, (_, piece) => {
    const at = piece * PIECE_ROWS
    return { setId, at, rows: rows.slice(at, at + PIECE_ROWS) }
  })

/** Stores a new set with all its rows and runs, or nothing. Rejects without room: see `isOutOfRoom`. */
export async function addSet(set: EvaluationSet, { rows, runs }: SetContents): Promise<void> {
  const transaction = (await open()).transaction(ALL, "readwrite")
  await Promise.all([
    transaction.objectStore("sets").add(set),
    ...piecesOf(set.id, rows).map((piece) => transaction.objectStore("rows").add(piece)),
    ...addRunsIn(transaction, runs),
    transaction.done,
  ])
}

/** Stores a changed set, whose rows are the same. */
export async function saveSet(set: EvaluationSet): Promise<void> {
  await (await open()).put("sets", set)
}

/** Stores a changed set with as many changed rows, or nothing. */
export async function saveSetAndRows(set: EvaluationSet, rows: readonly DataRow[]): Promise<void> {
  const transaction = (await open()).transaction(["sets", "rows"], "readwrite")
  await Promise.all([
    transaction.objectStore("sets").put(set),
    ...piecesOf(set.id, rows).map((piece) => transaction.objectStore("rows").put(piece)),
    transaction.done,
  ])
}

/** Returns a set's rows in the order of the file; empty for an unknown set. */
export async function rowsOf(setId: string): Promise<DataRow[]> {
  const pieces = await (await open()).getAll("rows", recordsOf(setId))
  return pieces.flatMap(({ rows }) => rows)
}

/** Returns what is stored of a set, as of one moment. */
export async function contentsOf(setId: string): Promise<SetContents> {
  const transaction = (await open()).transaction(ALL)
  const pieces = await transaction.objectStore("rows").getAll(recordsOf(setId))
  const runs: RunContents[] = []
  for (const run of (await transaction.objectStore("runs").index("setId").getAll(setId)).reverse().map(renamed)) {
    const plan = await transaction.objectStore("plans").get(run.id)
    runs.push({ run, plan: plan?.rows ?? [], results: await resultsIn(transaction.objectStore("results"), run.id) })
  }
  return { rows: pieces.flatMap(({ rows }) => rows), runs }
}

/** Removes a set with its rows, runs and results. */
export async function removeSet(id: string): Promise<void> {
  const transaction = (await open()).transaction(ALL, "readwrite")
  const runs = await transaction.objectStore("runs").index("setId").getAllKeys(id)
  await Promise.all([
    transaction.objectStore("sets").delete(id),
    transaction.objectStore("rows").delete(recordsOf(id)),
    ...runs.map((run) => transaction.objectStore("runs").delete(run)),
    ...runs.map((run) => transaction.objectStore("plans").delete(run)),
    ...runs.map((run) => transaction.objectStore("results").delete(recordsOf(run))),
    transaction.done,
  ])
}

/** Returns a set's runs, newest first. */
export async function runsOf(setId: string): Promise<EvaluationRun[]> {
  return (await (await open()).getAllFromIndex("runs", "setId", setId)).reverse().map(renamed)
}

/** Returns a run, or null when it was removed. */
export async function findRun(id: string): Promise<EvaluationRun | null> {
  const run = await (await open()).get("runs", id)
  return run ? renamed(run) : null
}

/** Returns a run's rows (`variantRow`s of a robustness check) in the order of the file; empty for an unknown run. */
export const planOf = async (runId: string): Promise<number[]> => (await (await open()).get("plans", runId))?.rows ?? []

/** Stores new runs together, or nothing. */
export async function addRuns(runs: readonly RunContents[]): Promise<void> {
  const transaction = (await open()).transaction(ALL, "readwrite")
  await Promise.all([...addRunsIn(transaction, runs), transaction.done])
}

/** Returns a run's results in the order of the file. */
export const resultsOf = async (runId: string): Promise<RowResult[]> =>
  resultsIn((await open()).transaction("results").store, runId)

type ResultStore = Pick<IDBPObjectStore<Evaluations, StoreNames<Evaluations>[], "results">, "getAll">

/** Reads results in parts, so that the page responds meanwhile. */
async function resultsIn(store: ResultStore, runId: string): Promise<RowResult[]> {
  const results: RowResult[] = []
  for (let range = recordsOf(runId); ; ) {
    const part = await store.getAll(range, PART_RESULTS)
    results.push(...part)
    const last = part.at(-1)
    if (!last || part.length < PART_RESULTS) return results
    range = IDBKeyRange.bound([runId, last.row], [runId, []], true)
  }
}

/** Stores changed runs with results of them, or nothing, so that totals and results never disagree. */
export async function saveRuns(runs: readonly EvaluationRun[], results: readonly RowResult[] = []): Promise<void> {
  const transaction = (await open()).transaction(["runs", "results"], "readwrite")
  await Promise.all([
    ...runs.map((run) => transaction.objectStore("runs").put(run)),
    ...results.map((result) => transaction.objectStore("results").put(result)),
    transaction.done,
  ])
}
