import { type DBSchema, type IDBPDatabase, openDB } from "idb"
import { KeptRun, MOST_RUNS } from "./kept-run"

interface Runs extends DBSchema {
  runs: { key: string; value: KeptRun; indexes: { accountId: string } }
}

const open = (): Promise<IDBPDatabase<Runs>> =>
  openDB<Runs>("playground", 1, {
    upgrade(db) {
      // Ids begin with the time, so that an index of one account is in order of time.
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

/** Keeps a run in this browser, and of the account's runs only the newest twenty. */
export const keepRun = (run: KeptRun): Promise<void> =>
  withRuns(async (db) => {
    const transaction = db.transaction("runs", "readwrite")
    await transaction.store.put(run)
    const ids = await transaction.store.index("accountId").getAllKeys(run.accountId)
    for (const id of ids.slice(0, -MOST_RUNS)) await transaction.store.delete(id)
    await transaction.done
  })

/** The account's kept runs, newest first. */
export const listRuns = (accountId: string): Promise<KeptRun[]> =>
  withRuns(async (db) => {
    const stored = await db.getAllFromIndex("runs", "accountId", accountId)
    return stored.filter((run) => KeptRun.safeParse(run).success).reverse()
  })

/** Removes the account's kept runs from this browser. */
export const clearRuns = (accountId: string): Promise<void> =>
  withRuns(async (db) => {
    const transaction = db.transaction("runs", "readwrite")
    for (const id of await transaction.store.index("accountId").getAllKeys(accountId))
      await transaction.store.delete(id)
    await transaction.done
  })
