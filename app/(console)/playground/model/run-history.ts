import { type DBSchema, type IDBPDatabase, openDB } from "idb"
import { z } from "zod"
import { checkRequest } from "@/lib/shared/decisions/check-request"
import type { ModelChoice } from "@/lib/shared/runs/model-choice"
import { type Exchange, type Outcome, readOutcome } from "@/lib/shared/runs/read-outcome"

/** `spentAs` is the name of the key that paid. */
export const StoredRun = z.object({
  id: z.string(),
  accountId: z.string(),
  /** ISO 8601. */
  at: z.string(),
  spentAs: z.string(),
  requestText: z.string(),
  status: z.number(),
  headers: z.array(z.tuple([z.string(), z.string()])),
  responseText: z.string(),
  latencyMs: z.number(),
  /** The user's own name for the run. */
  label: z.string().optional(),
})
export type StoredRun = z.infer<typeof StoredRun>

export interface HistoryEntry {
  run: StoredRun
  /** Null when the run can no longer be read. */
  outcome: Outcome | null
}

/** Per account. */
const MAX_RUNS = 20

export function storedRun(exchange: Exchange, accountId: string, spentAs: string): StoredRun {
  const { requestText, status, headers, responseText, latencyMs } = exchange
  const at = new Date().toISOString()
  // `crypto.randomUUID` is missing on plain http, which a console on a local network may use.
  const id = `${at} ${Math.random().toString(36).slice(2)}`
  return { id, accountId, at, spentAs, requestText, status, headers, responseText, latencyMs }
}

/** Returns a stored run's outcome, or null when its request can no longer be read. */
export function outcomeOf(run: StoredRun, models: ModelChoice[]): Outcome | null {
  const checked = checkRequest(new TextEncoder().encode(run.requestText))
  return checked.ok ? readOutcome({ ...run, request: checked.request }, models) : null
}

interface Runs extends DBSchema {
  runs: { key: string; value: StoredRun; indexes: { accountId: string } }
}

const open = (): Promise<IDBPDatabase<Runs>> =>
  openDB<Runs>("playground", 1, {
    upgrade(db) {
      // Ids start with the time, so the index lists an account's runs in order of time.
      db.createObjectStore("runs", { keyPath: "id" }).createIndex("accountId", "accountId")
    },
  })

async function withRuns<Result>(work: (db: IDBPDatabase<Runs>) => Promise<Result>): Promise<Result> {
  const db = await open()
  try {
    return await work(db)
  } finally {
    db.close()
  }
}

/** Stores a run in this browser and removes all but the account's newest twenty. */
export const keepRun = (run: StoredRun): Promise<void> =>
  withRuns(async (db) => {
    const transaction = db.transaction("runs", "readwrite")
    await transaction.store.put(run)
    const ids = await transaction.store.index("accountId").getAllKeys(run.accountId)
    for (const id of ids.slice(0, -MAX_RUNS)) await transaction.store.delete(id)
    await transaction.done
  })

/** Returns a stored run of the account, or null when it is gone. */
export const findRun = (accountId: string, id: string): Promise<StoredRun | null> =>
  withRuns(async (db) => {
    const run = StoredRun.safeParse(await db.get("runs", id))
    return run.success && run.data.accountId === accountId ? run.data : null
  })

/** Names a run. An empty label removes its name. */
export const labelRun = ({ label: _, ...run }: StoredRun, label: string): Promise<void> =>
  withRuns(async (db) => {
    await db.put("runs", label === "" ? run : { ...run, label })
  })

export const listRuns = (accountId: string): Promise<StoredRun[]> =>
  withRuns(async (db) => {
    const stored = await db.getAllFromIndex("runs", "accountId", accountId)
    return stored.filter((run) => StoredRun.safeParse(run).success).reverse()
  })

export const clearRuns = (accountId: string): Promise<void> =>
  withRuns(async (db) => {
    const transaction = db.transaction("runs", "readwrite")
    for (const id of await transaction.store.index("accountId").getAllKeys(accountId))
      await transaction.store.delete(id)
    await transaction.done
  })
