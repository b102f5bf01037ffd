import { setTimeout as sleep } from "node:timers/promises"
import type { OwnEngineEntries } from "@/lib/server/engines/own-engines"
import { loadCatalogue } from "@/lib/server/models/load-catalogue"
import type { RunState } from "@/lib/server/models/order-model"
import { type OwnModel, ownSources, seedOwnModel } from "@/lib/server/models/own-model"
import { isPassing } from "@/lib/server/platform/db/check-database"
import type { Row } from "@/lib/server/platform/db/row"
import { type Runtime, runtime } from "@/lib/server/platform/runtime"
import { OwnEngine, recordRunning } from "./own-engine"

/** Every process has read the catalogue again by then, and asks the model no more. */
const LEAVE_MS = 3_000
/** A start waits no longer, for example for packages that have to be installed again. */
const READY_LIMIT_MS = 120_000
const REPEAT_MS = 5_000

type Order = Row<"ModelOrder", "id" | "source" | "ordered_at">

/** What this server does for one order. */
interface Run {
  order: Order
  state: RunState
  modelId: string | null
  engine: OwnEngine | null
  doneBytes: number | null
  totalBytes: number | null
  reason: string | null
  /** When it begins again after the database was unavailable, on the clock of `performance`. Infinity: never. */
  repeatAt: number
  /** The values that the table has. */
  saved: string
  abort: AbortController
  /** Resolves when the model runs, or when that failed or was cancelled. */
  settled: Promise<void>
}

const runsAlready = (id: string): Error => new Error(`Model ${id} runs already, from another file or order.`)

const SAVE = `
  INSERT INTO model_order_run (order_id, process_id, state, done_bytes, total_bytes, reason)
  SELECT model_order.id, server_process.id, $3, $4, $5, $6 FROM model_order, server_process
  WHERE model_order.id = $1 AND server_process.id = $2
  ON CONFLICT (order_id, process_id) DO UPDATE SET state = excluded.state,
    done_bytes = excluded.done_bytes, total_bytes = excluded.total_bytes, reason = excluded.reason`

interface RunningModel {
  id: string
  engine: OwnEngine
}

/** Carries out the orders of operators to run models, and the one of `ENGINE_GGUF`. */
export class ModelOrders {
  readonly #runs = new Map<string, Run>()
  /** The end of the load before. Two loads at once could each count on the same memory. */
  #loaded = Promise.resolve()
  /** The end of the last record of the models that run. */
  #recorded = Promise.resolve()
  #isClosed = false

  /** Receives the models that run, when they change. */
  onChange = (_entries: OwnEngineEntries): void => {}

  /** `first` is the model of `ENGINE_GGUF`, which runs as long as the server. */
  constructor(private readonly first: RunningModel | null) {}

  /** Starts and stops what the orders changed, and reports how far each is. Runs every second. */
  async follow({ pool, engines }: Runtime): Promise<void> {
    const { rows } = await pool.query<Order>(
      "SELECT id, source, ordered_at FROM model_order WHERE ended_at IS NULL ORDER BY ordered_at, id",
    )
    if (this.#isClosed) return
    for (const [id, run] of this.#runs) if (!rows.some((order) => order.id === id)) this.#stop(run)
    for (const order of rows) {
      const run = this.#runs.get(order.id)
      const isDue = run && (order.ordered_at > run.order.ordered_at || performance.now() > run.repeatAt)
      if (!run || (isDue && run.state === "failed")) this.#runs.set(order.id, this.#start(order))
    }
    for (const run of this.#runs.values()) {
      const values = [run.state, run.doneBytes, run.totalBytes, run.reason]
      const text = JSON.stringify(values)
      if (text === run.saved) continue
      const { rowCount } = await pool.query(SAVE, [run.order.id, engines.slots.processId, ...values])
      if (rowCount === 1) run.saved = text
    }
  }

  /** Resolves when each ordered model that needs no download runs and was probed, or after two minutes. */
  async ready(runtime: Runtime): Promise<void> {
    await this.follow(runtime)
    const isWaitedFor = ({ state }: Run) => state === "preparing" || state === "loading"
    const until = performance.now() + READY_LIMIT_MS
    while (performance.now() < until && [...this.#runs.values()].some(isWaitedFor)) await sleep(100)
    if (this.#running.length === 0) return
    // Until then its requests get 503.
    await loadCatalogue(runtime)
    const leftMs = Math.max(0, until - performance.now())
    await Promise.race([runtime.engines.probeOwn(), sleep(leftMs, undefined, { ref: false })])
  }

  async close(): Promise<void> {
    this.#isClosed = true
    const runs = [...this.#runs.values()]
    for (const { abort } of runs) abort.abort()
    await Promise.all(runs.map(({ settled }) => settled))
    await Promise.all([this.first?.engine, ...runs.map(({ engine }) => engine)].map((engine) => engine?.close()))
  }

  /** Publishes the models that run, so that every process of this server asks them. */
  async publish(): Promise<void> {
    const { env, log, ownEngines } = runtime()
    const own = [...(this.first ? [this.first] : []), ...this.#running]
    const entries = own.map(({ id, engine }): OwnEngineEntries[number] => [id, engine.address])
    ownEngines.replace(entries)
    this.onChange(entries)
    // Sequentially, so that the file has the entries of the last call.
    this.#recorded = this.#recorded.then(() =>
      recordRunning(env.DATA_DIR, entries).catch((cause) =>
        // Requests do not depend on the file. A full disk stops no model.
        log.warn("Commands do not know the models that run", { event: "model_order.record_failed", cause }),
      ),
    )
    await this.#recorded
    await loadCatalogue(runtime())
  }

  /** The ordered models that run. */
  get #running(): RunningModel[] {
    const runs = [...this.#runs.values()]
    return runs.flatMap(({ modelId: id, engine }) => (id && engine ? [{ id, engine }] : []))
  }

  #start(order: Order): Run {
    const abort = new AbortController()
    const progress = { doneBytes: null, totalBytes: null, reason: null }
    const run: Run = {
      ...progress,
      order,
      state: "preparing",
      modelId: null,
      engine: null,
      repeatAt: Number.POSITIVE_INFINITY,
      saved: "",
      abort,
      settled: Promise.resolve(),
    }
    run.settled = this.#carryOut(run).catch((error: Error) => {
      if (abort.signal.aborted) return
      if (isPassing(error)) run.repeatAt = performance.now() + REPEAT_MS
      run.state = "failed"
      run.reason = error.message
      runtime().log.warn("An ordered model cannot run", { event: "model_order.failed", reason: error.message })
    })
    return run
  }

  async #carryOut(run: Run): Promise<void> {
    const { env, pool } = runtime()
    const { signal } = run.abort
    const onProgress = (doneBytes: number, totalBytes: number) => {
      Object.assign(run, { state: "downloading", doneBytes, totalBytes })
    }
    // A start waits for no hub, and not for another model's download.
    const onDownload = () => {
      run.state = "downloading"
    }
    const prepared = await OwnEngine.prepare(env, {
      source: run.order.source,
      known: await ownSources(pool),
      print: () => {},
      ...{ signal, onProgress, onDownload },
    })
    run.state = "loading"
    const before = this.#loaded
    const loading = before.then(() => {
      signal.throwIfAborted()
      this.#refuseTwin(prepared.model)
      return prepared.load(signal)
    })
    this.#loaded = loading.then(
      () => {},
      () => {},
    )
    const engine = await loading
    try {
      signal.throwIfAborted()
      run.modelId = await this.#seed(run.order, engine)
      run.engine = engine
      run.state = "running"
      // What failed is only late: the catalogue is read again every second.
      await this.publish().catch(() => {})
      runtime().log.info("An ordered model runs", { event: "model_order.running", model: run.modelId })
    } catch (error) {
      Object.assign(run, { engine: null, modelId: null })
      await engine.close()
      throw error
    }
  }

  /** Refuses a file that runs already, before a second copy takes as much memory. */
  #refuseTwin({ served, sha256 }: OwnModel): void {
    const others = [...(this.first ? [this.first] : []), ...this.#running]
    const twin = others.find(({ engine: { model } }) => model.served === served && model.sha256 === sha256)
    if (twin) throw runsAlready(twin.id)
  }

  /** Adds the model to the catalogue where it is new, without the alias, and returns its id. */
  async #seed(order: Order, engine: OwnEngine): Promise<string> {
    const id = await seedOwnModel(runtime(), engine.model, { mayMoveAlias: false })
    const isTaken = this.first?.id === id || [...this.#runs.values()].some(({ modelId }) => modelId === id)
    if (isTaken) throw runsAlready(id)
    const { rowCount } = await runtime().pool.query(
      "UPDATE model_order SET model_id = $2 WHERE id = $1 AND EXISTS (SELECT FROM model WHERE id = $2 AND status = 'active')",
      [order.id, id],
    )
    if (rowCount === 0) throw new Error(`Model ${id} is retired, so nobody can call it.`)
    return id
  }

  #stop(run: Run): void {
    this.#runs.delete(run.order.id)
    run.abort.abort()
    void run.settled.then(async () => {
      if (!run.engine) return
      const { engine, modelId } = run
      await this.publish().catch(() => {})
      await sleep(LEAVE_MS)
      await engine.close()
      runtime().log.info("An ordered model was stopped", { event: "model_order.stopped", model: modelId ?? undefined })
    })
  }
}
