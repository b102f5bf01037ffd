import { afterEach, expect, test } from "vitest"
import type { Log } from "@/lib/server/platform/log"
import { checkedRequest, choice, noul } from "@/test/checked-request"
import { type LlamaCppDouble, type LlamaCppSettings, startLlamaCpp } from "@/test/doubles/llama-cpp"
import { printFigure } from "@/test/figures"
import { systemOneModel } from "@/test/system-one-model"
import { Engines } from "./engines"

const silent: Log = { info() {}, warn() {}, error() {} }
const ID = "svc-decider"
const OTHER_ID = "svc-other"
interface Case {
  /** lev reads a choice twice. */
  kind: LlamaCppSettings["kind"]
  slots: number
  questions: number
  type: "noul" | "choice"
  /** Whether the clients of single questions use another id on the same engine. */
  isOtherId: boolean
  /** Whether they use another process of the service. */
  isOtherProcess: boolean
  isHybrid: boolean
}

/** A state of 401 tokens. A slot computes 100 tokens in a batch, so one question takes five batches. */
const requestOf = (n: number, questions: number, type: Case["type"]) =>
  checkedRequest(
    `s${n} ${"word ".repeat(400).trim()}`,
    ...Array.from({ length: questions }, (_, i) =>
      type === "noul" ? noul(`q${i}`, "Is it?") : choice(`q${i}`, "Which is it?", ["a", "b", "c"]),
    ),
  )

let llama: LlamaCppDouble
/** Of this process and of another one. */
let engines: Engines[]
afterEach(async () => {
  await llama.stop()
  for (const each of engines) await each.close()
})

async function start({ kind, slots, isHybrid }: Case): Promise<void> {
  llama = await startLlamaCpp({ kind, slots, isHybrid, slotTokens: 100 })
  const timing = { everyMs: 600_000, probeLimitMs: 600_000 }
  const model = systemOneModel(llama.url, { tokenizer: "bytes-4" })
  engines = [
    new Engines({ log: silent, onSeen: () => {}, timing }),
    new Engines({ log: silent, onSeen: () => {}, timing }),
  ]
  for (const each of engines) {
    each.sync([model, { ...model, id: OTHER_ID }])
    await each.ready()
    for (const id of [ID, OTHER_ID]) await expect.poll(() => each.availability(id).available).toBe(true)
  }
  llama.slots.stepByStep()
  llama.slots.calls = 0
  llama.requests.length = 0
}

let n = 0
async function ask(at: Engines | undefined, id: string, account: string, questions: number, type: Case["type"]) {
  const { signal } = new AbortController()
  const request = requestOf(n++, questions, type)
  await at?.get(id)?.run(account, signal, (engine, take) => engine.answer(request, signal, take))
}

/** Calls that wait in the service. */
const waiting = () => engines.reduce((sum, each) => sum + each.slots.of(llama.url).waiting, 0)
const received = () => llama.requests.filter(({ path }) => path === "/v1/systemone").length

/** Does what the processes do through the database every second. */
function share(): void {
  const uses = engines.map((each) => each.slots.takeUse())
  for (const [i, each] of engines.entries())
    each.slots.setOthers((uses[1 - i] ?? []).map((use) => ({ ...use, processes: 1 })))
}

/** Computes batches, each when all clients have a call at the engine, until a client's request has its answers. */
async function batchesOf(clients: () => number, request: Promise<void>): Promise<number> {
  let isDone = false
  void request.then(() => {
    isDone = true
  })
  const before = llama.slots.batches
  for (;;) {
    await expect
      .poll(() => isDone || received() - llama.slots.calls + waiting() === clients(), { interval: 1, timeout: 10_000 })
      .toBe(true)
    if (isDone) return llama.slots.batches - before
    if (llama.slots.batches - before > 60) throw new Error("the request starves")
    await llama.slots.step()
    share()
    await new Promise((resolve) => setImmediate(resolve))
  }
}

async function mixed(load: Case): Promise<{ alone: number[]; beside: number[] }> {
  const { slots, questions, type, isOtherId, isOtherProcess } = load
  await start(load)
  const measured = async (clients: number) => {
    const batches: number[] = []
    for (let i = 0; i < 5; i++)
      batches.push(await batchesOf(() => clients + 1, ask(engines[0], ID, "many", questions, type)))
    return batches.toSorted((a, b) => a - b)
  }
  const alone = await measured(0)
  // Clients that ask one question after another use half of the slots, each in another phase of its prompt.
  let isOver = false
  const clients: Promise<void>[] = []
  for (let client = 0; client < slots / 2; client++) {
    const loop = async () => {
      while (!isOver)
        await ask(engines[isOtherProcess ? 1 : 0], isOtherId ? OTHER_ID : ID, `single ${client}`, 1, "noul").catch(
          () => {},
        )
    }
    clients.push(loop())
    await expect.poll(() => received() - llama.slots.calls).toBe(client + 1)
    await llama.slots.step()
  }
  try {
    return { alone, beside: await measured(slots / 2) }
  } finally {
    isOver = true
    await llama.stop()
    await Promise.all(clients)
  }
}

const usual = { kind: "kev", type: "noul", isOtherId: false, isOtherProcess: false, isHybrid: false } as const
test.each<Case>([
  { ...usual, slots: 8, questions: 4 },
  { ...usual, slots: 8, questions: 4, isHybrid: true },
  { ...usual, slots: 4, questions: 4 },
  { ...usual, slots: 8, questions: 8 },
  { ...usual, slots: 8, questions: 4, kind: "lev", type: "choice" },
  { ...usual, slots: 8, questions: 8, kind: "lev" },
  { ...usual, slots: 8, questions: 8, isOtherId: true },
  { ...usual, slots: 4, questions: 4, isOtherId: true },
  { ...usual, slots: 4, questions: 4, isOtherProcess: true },
  { ...usual, slots: 8, questions: 8, isOtherProcess: true },
  { ...usual, slots: 8, questions: 4, kind: "lev", type: "choice", isOtherProcess: true },
])(
  "$slots slots: a call of $questions $kind questions ($type, other id $isOtherId, other process $isOtherProcess, hybrid $isHybrid) beside single questions in half of them takes at most 1.5 times as long as alone",
  async (load) => {
    const { alone, beside } = await mixed(load)
    printFigure(`batches of the engine, ${JSON.stringify(load)}`, { alone, beside })
    const [quiet = 0, p50 = 0] = [alone[2], beside[2]]
    expect(quiet).toBeGreaterThanOrEqual(6)
    expect(p50 / quiet, JSON.stringify({ alone, beside })).toBeLessThanOrEqual(1.5)
  },
)
