import type { ChildProcess } from "node:child_process"
import cluster from "node:cluster"
import { setTimeout as delay } from "node:timers/promises"
import type pg from "pg"
import { ownSnapshot } from "@/lib/server/api/metrics-route"
import type { OwnEngineEntries } from "@/lib/server/engines/own-engines"
import { SlotOwner } from "@/lib/server/engines/owned-slots"
import { type ProcessState, readProcessState, withWorkers } from "@/lib/server/health/process-state"
import { countAll } from "@/lib/server/limits/owned-windows"
import type { MetricValues } from "@/lib/server/platform/metrics"
import { runtime } from "@/lib/server/platform/runtime"
import type { FromWorker, ToWorker } from "./api-worker"
import { type Question, ServerLine } from "./server-line"
import { execArgvOf, killWhenHung, programFile, SupervisedProcess } from "./supervised-process"

/** A worker ends its last request within 28 s, and its grants within 5 s more. */
const STOP_MS = 40_000
/** A scrape and the console leave out a worker that does not answer within this time. One that waits for its database takes 3 s. */
const REPORT_MS = 3_500

interface WorkersOptions {
  database: pg.PoolConfig
  count: number
  /** The file to run instead of the worker's program. */
  program?: string
  /** How often a worker is asked for a sign of life, in ms. */
  pingMs?: number
}

/** One worker that runs, and how to reach it. */
interface Running {
  send(message: ToWorker): void
  line: ServerLine
  isReady: boolean
}

/** Starts a worker. Node also emits its process's errors on the worker, where they would end this process without a listener. */
function forkWorker(): ChildProcess {
  const worker = cluster.fork()
  worker.on("error", () => {})
  return worker.process
}

/**
 * Runs the API in several processes on one port. They accept connections from one socket of the kernel, so no request passes
 * through this process. It owns the slots of engines and, without Redis, the rate windows, which a worker asks once for each tick of its
 * event loop. It restarts a worker that ends or hangs (docs/decisions/0104).
 */
export class WorkerSupervisor {
  readonly #processes: SupervisedProcess<{ type: "ready" }>[]
  readonly #running = new Map<number, Running>()
  #consoleSocket: string | null = null
  #isDraining = false

  constructor(private readonly options: WorkersOptions) {
    const { program = programFile("api-worker") } = options
    // Every worker accepts connections itself. With round robin, each would pass through this process.
    cluster.schedulingPolicy = cluster.SCHED_NONE
    cluster.setupPrimary({ exec: program, execArgv: execArgvOf(program) })
    this.#processes = Array.from({ length: options.count }, (_, i) => this.#create(i + 1, program))
  }

  /** Resolves when every worker accepts connections. Rejects when one cannot start. */
  async start(): Promise<void> {
    await Promise.all(this.#processes.map((process) => process.start()))
  }

  get ready(): number {
    return [...this.#running.values()].filter(({ isReady }) => isReady).length
  }

  /** Reports where the console's process listens. Null while there is none. */
  setConsoleSocket(socketPath: string | null): void {
    this.#consoleSocket = socketPath
    this.#sendAll({ type: "console", socketPath })
  }

  /** Reports the models that the service runs itself. */
  setOwnEngines(entries: OwnEngineEntries): void {
    this.#sendAll({ type: "own_engines", entries })
  }

  /** Lets `/readyz` be 503 while the workers still accept requests. */
  drain(): void {
    this.#isDraining = true
    this.#sendAll({ type: "drain" })
  }

  /** Stops all workers after their last responses. */
  async close(): Promise<void> {
    await Promise.all(this.#processes.map((process) => process.endBy({ type: "stop" } satisfies ToWorker, STOP_MS)))
  }

  /** Returns the state of the server as a whole. */
  async readState(): Promise<ProcessState> {
    const reading = [readProcessState(runtime()), this.#askAll<ProcessState>({ name: "state" })] as const
    return withWorkers(...(await Promise.all(reading)))
  }

  #create(number: number, program: string): SupervisedProcess<{ type: "ready" }> {
    const { database, count } = this.options
    return new SupervisedProcess({
      name: "worker",
      program,
      fork: forkWorker,
      startMessage: (): ToWorker => ({
        ...{ type: "start", database, number, count, ownModels: runtime().ownEngines.entries },
        ...{ consoleSocket: this.#consoleSocket, isDraining: this.#isDraining },
      }),
      onReady: () => {
        const running = this.#running.get(number)
        if (running) running.isReady = true
      },
      onEnd: () => void this.#running.delete(number),
      watch: (child, send) => this.#watch(number, child, send),
    })
  }

  #watch(number: number, child: ChildProcess, send: (message: ToWorker) => void): () => void {
    const line = new ServerLine((id, question) => send({ type: "question", id, question }))
    const running: Running = { send, line, isReady: false }
    this.#running.set(number, running)
    const slots = new SlotOwner(
      (url) => runtime().engines.slots.of(url),
      (grant) => send({ type: "slots", grant }),
    )
    child.on("message", async (message: FromWorker) => {
      if (message.type === "count") send({ type: "counted", results: await countAll(runtime().rates, message.counts) })
      else if (message.type === "slots") void slots.receive(message.call)
      else if (message.type === "answer") line.receive(message.answer)
      else if (message.type === "question" && message.question.name === "metrics")
        send({ type: "answer", answer: { id: message.id, value: await this.#readMetrics(number) } })
    })
    const stopPings = killWhenHung(child, send, this.options.pingMs)
    return () => {
      stopPings()
      slots.close()
    }
  }

  /** Returns the metrics of this process and of every worker but the one that asks. */
  async #readMetrics(except: number): Promise<MetricValues[]> {
    const workers = { wanted: this.options.count, ready: this.ready }
    const reading = runtime().metrics.values(ownSnapshot({ workers }))
    const [own, others] = await Promise.all([reading, this.#askAll<MetricValues>({ name: "metrics" }, except)])
    return [own, ...others]
  }

  async #askAll<Value>(question: Question, except?: number): Promise<Value[]> {
    const asked = [...this.#running].filter(([number, { isReady }]) => isReady && number !== except)
    const answers = await Promise.all(
      asked.map(([, { line }]) =>
        Promise.race([line.ask<Value>(question).catch(() => null), delay(REPORT_MS, null, { ref: false })]),
      ),
    )
    return answers.filter((answer) => answer !== null) as Value[]
  }

  #sendAll(message: ToWorker): void {
    for (const { send } of this.#running.values()) send(message)
  }
}
