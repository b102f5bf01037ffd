import { type IDBPDatabase, openDB } from "idb"
import { countOf } from "./format"

/** What this browser stores of the user's work, in all accounts. */
interface LocalWork {
  /** Sets of Evaluate. */
  sets: number
  /** Answers in these sets. */
  answers: number
  /** Whether any of the answers was charged. */
  isPaid: boolean
  /** Runs of the playground. */
  pastRuns: number
  /** Drafts of the playground. */
  drafts: number
}

/** Reads a database that a page created. Resolves with null without one, and creates none. */
async function readDatabase<Read>(name: string, read: (db: IDBPDatabase) => Promise<Read>): Promise<Read | null> {
  let db: IDBPDatabase
  try {
    db = await openDB(name, undefined, {
      upgrade(_db, _oldVersion, _newVersion, transaction) {
        transaction.done.catch(() => undefined)
        transaction.abort()
      },
    })
  } catch {
    return null
  }
  try {
    return await read(db)
  } finally {
    db.close()
  }
}

function countDrafts(): number {
  try {
    return Object.keys(localStorage).filter((key) => key.startsWith("playground:")).length
  } catch {
    return 0
  }
}

/** Counts what `Clear-Site-Data` would delete from this browser. */
export async function readLocalWork(): Promise<LocalWork> {
  const evaluations = await readDatabase("evaluate", async (db) => {
    const runs: { totals: { answered: number; costUsd: string } }[] = await db.getAll("runs")
    return {
      sets: await db.count("sets"),
      answers: runs.reduce((sum, { totals }) => sum + totals.answered, 0),
      isPaid: runs.some(({ totals }) => Number(totals.costUsd) > 0),
    }
  })
  const pastRuns = await readDatabase("playground", (db) => db.count("runs"))
  return { sets: 0, answers: 0, isPaid: false, ...evaluations, pastRuns: pastRuns ?? 0, drafts: countDrafts() }
}

/** Names work for a sentence: "3 sets with 4,300 paid answers and 1 draft". Null without any. */
export function nameLocalWork({ sets, answers, isPaid, pastRuns, drafts }: LocalWork): string | null {
  const within = answers > 0 ? ` with ${countOf(answers, isPaid ? "paid answer" : "answer")}` : ""
  const parts = [
    sets > 0 ? countOf(sets, "set") + within : "",
    pastRuns > 0 ? countOf(pastRuns, "past run") : "",
    drafts > 0 ? countOf(drafts, "draft") : "",
  ].filter(Boolean)
  return parts.length > 0 ? new Intl.ListFormat("en").format(parts) : null
}
