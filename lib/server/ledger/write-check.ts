import { DatabaseError, type Pool } from "pg"

/** Why the ledger cannot be written now. */
export type WriteFault =
  | "database_full"
  | "database_read_only"
  | "database_connections"
  | "database_timeout"
  | "database_unreachable"
  | "database_error"
  | "ledger_writes_fail"
  | "ledger_writes_wait"

declare module "@/lib/server/platform/runtime" {
  interface Runtime {
    writes: WriteCheck
  }
}

/** A write of the ledger is proof for this long. A trial's result is also reused for this long. */
const PROOF_MS = 1_000
/** Ledger writes are counted for this long. */
const RECENT_MS = 5_000
const TRIAL_MS = 3_000
/** The ledger's writes may wait this long without one success: a single one may wait for the lock of its account. */
const WAIT_MS = 5_000

/**
 * Waits for locks of the ledger's tables, allocates a page, which a full disk refuses even where a table still has room for a row, and
 * commits a row durably. The page is freed at the commit. Without parameters, all statements are one transaction and one round trip.
 */
const TRIAL = `
SET LOCAL lock_timeout = '2s';
LOCK TABLE ONLY account, ONLY api_key, ONLY hold, ONLY charged_hold, ONLY ledger_entry, ONLY credit_grant IN ROW EXCLUSIVE MODE;
CREATE TEMP TABLE IF NOT EXISTS write_check_page (only_row boolean) ON COMMIT DELETE ROWS;
INSERT INTO pg_temp.write_check_page VALUES (true);
INSERT INTO write_check DEFAULT VALUES ON CONFLICT (only_row) DO UPDATE SET checked_at = now()`

/** SQLSTATE classes of errors that concern one statement's input, not the database. */
const INPUT = /^(22|23|40|P0)/
/** What `pg` reports for a statement without a reply. It may be waiting for the lock of one account. */
const NO_REPLY = "Query read timeout"
/** What `pg` reports when all connections are busy for long, as while their statements wait for a lock. */
const NO_CONNECTION = "timeout exceeded when trying to connect"

/** Returns true for an error that other writes would fail with too. */
const isFault = (error: unknown): boolean =>
  error instanceof DatabaseError
    ? !INPUT.test(error.code ?? "")
    : !(error instanceof Error && error.message === NO_REPLY)

/** Returns true for the error of a write that waited until its time was over. Any other shows that writes get results. */
const hasWaited = (error: unknown): boolean =>
  error instanceof Error && (error.message === NO_REPLY || error.message === NO_CONNECTION)

function faultOf(error: unknown): WriteFault {
  if (!(error instanceof DatabaseError)) {
    const message = error instanceof Error ? error.message : ""
    return message === NO_REPLY ? "database_timeout" : "database_unreachable"
  }
  const code = error.code ?? ""
  if (code === "55P03") return "ledger_writes_wait"
  if (code === "53100") return "database_full"
  if (code === "53300") return "database_connections"
  if (code === "25006") return "database_read_only"
  return /^(08|57P)/.test(code) ? "database_unreachable" : "database_error"
}

/** PostgreSQL needs room for one file of its log, or it ends. */
const LOG_FILE_BYTES = 16 * 1024 * 1024

interface Trial {
  fault: WriteFault | null
  endedAt: number
}

/** Knows whether the ledger can be written: from its own writes of the last seconds, else from a write that moves no money. */
export class WriteCheck {
  #window = { startedAt: Number.NEGATIVE_INFINITY, succeeded: 0, failed: 0 }
  #succeededAt = Number.NEGATIVE_INFINITY
  #latest: Trial = { fault: null, endedAt: Number.NEGATIVE_INFINITY }
  #running: Promise<Trial> | null = null
  /** How many writes have no result yet, and since when writes have waited without a success. */
  #pending = 0
  #waitingSince: number | null = null
  /** The error behind the latest fault, for the log. */
  failure: unknown
  /** When a check found the ledger's first fault after the last check without one. Null without a fault. */
  failingSince: Date | null = null

  /** True from the first write that the disk had no room for until one succeeds. PostgreSQL may end meanwhile. */
  #isFull = false

  /** `freeBytes` returns how much room the disk of an embedded PostgreSQL has. */
  constructor(
    private readonly pool: Pool,
    private readonly freeBytes: () => Promise<number> = async () => Number.POSITIVE_INFINITY,
  ) {}

  /** Runs a write of the ledger and counts whether the database accepted it. */
  async track<Result>(write: () => Promise<Result>): Promise<Result> {
    this.#waitingSince ??= performance.now()
    this.#pending++
    try {
      const result = await write()
      this.#recent().succeeded++
      this.#succeededAt = performance.now()
      this.#replied()
      return result
    } catch (error) {
      if (!hasWaited(error)) this.#replied()
      if (isFault(error)) {
        this.#recent().failed++
        this.#note(error)
      }
      throw error
    } finally {
      this.#pending--
    }
  }

  #note(error: unknown): WriteFault {
    this.failure = error
    const fault = faultOf(error)
    if (fault === "database_full") this.#isFull = true
    return fault
  }

  /** Notes a result of a write that is still counted as pending. The others have waited from now on. */
  #replied(): void {
    this.#waitingSince = this.#pending > 1 ? performance.now() : null
  }

  /** Returns true while nobody is served although the database replies: each write waits. */
  #isWaiting(): boolean {
    if (this.#pending === 0) this.#waitingSince = null
    return this.#waitingSince !== null && performance.now() - this.#waitingSince > WAIT_MS
  }

  /** Returns why the ledger cannot be written, or null. Resolves within 3 s. Writes at most once per second. */
  async findFault(): Promise<WriteFault | null> {
    const startedAt = new Date()
    const fault = await this.#find()
    this.failingSince = fault === null ? null : (this.failingSince ?? startedAt)
    return fault
  }

  async #find(): Promise<WriteFault | null> {
    const window = this.#recent()
    const fails = window.failed > window.succeeded
    if (!fails && performance.now() - this.#succeededAt < PROOF_MS) return null
    const { fault } = await this.#tryWrite()
    if (fault) return fault
    if (this.#isWaiting()) return "ledger_writes_wait"
    if (!fails) return null
    // The trial succeeded, so only failures from now on count.
    Object.assign(window, { succeeded: 0, failed: 0 })
    return faultOf(this.failure) === "database_full" ? "database_full" : "ledger_writes_fail"
  }

  #recent() {
    if (performance.now() - this.#window.startedAt > RECENT_MS)
      this.#window = { startedAt: performance.now(), succeeded: 0, failed: 0 }
    return this.#window
  }

  async #tryWrite(): Promise<Trial> {
    if (!this.#running && performance.now() - this.#latest.endedAt < PROOF_MS) return this.#latest
    this.#running ??= this.#runTrial().finally(() => {
      this.#running = null
    })
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<Trial>((resolve) => {
      timer = setTimeout(resolve, TRIAL_MS, { fault: "database_timeout", endedAt: performance.now() })
    })
    return Promise.race([this.#running, late]).finally(() => clearTimeout(timer))
  }

  /** A full disk ends PostgreSQL when it cannot write its log, and it cannot start again before there is room. */
  async #explain(fault: WriteFault | null): Promise<WriteFault | null> {
    if (fault !== "database_unreachable") return fault
    return this.#isFull || (await this.freeBytes()) < LOG_FILE_BYTES ? "database_full" : fault
  }

  async #runTrial(): Promise<Trial> {
    const fault = await this.pool.query(TRIAL).then(
      () => null,
      (error: unknown) => this.#note(error),
    )
    if (fault === null) this.#isFull = false
    this.#latest = { fault: await this.#explain(fault), endedAt: performance.now() }
    return this.#latest
  }
}
