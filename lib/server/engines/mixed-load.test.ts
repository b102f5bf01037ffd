import { afterEach, expect, test } from "vitest"
import type { Log } from "@/lib/server/platform/log"
import { checkedRequest, choice, noul } from "@/test/checked-request"
import { type LlamaCppDouble, type LlamaCppSettings, startLlamaCpp } from "@/test/doubles/llama-cpp"
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
let engines: Engines
afterEach(async () => {
  await llama.stop()
  await engines.close()
})

async function start({ kind, slots, isHybrid }: Case): Promise<void> {
  llama = await startLlamaCpp({ kind, slots, isHybrid, slotTokens: 100 })
  engines = new Engines({ log: silent, onSeen: () => {}, timing: { everyMs: 600_000, probeLimitMs: 600_000 } })
  const model = systemOneModel(llama.url, { tokenizer: "bytes-4" })
  engines.sync([model, { ...model, id: OTHER_ID }])
  await engines.ready()
  for (const id of [ID, OTHER_ID]) await expect.poll(() => engines.availability(id).available).toBe(true)
  llama.slots.stepByStep()
  llama.slots.calls = 0
  llama.requests.length = 0
}

let n = 0
async function ask(id: string, account: string, questions: number, type: Case["type"]): Promise<void> {
  const { signal } = new AbortController()
  const request = requestOf(n++, questions, type)
  await engines.get(id)?.run(account, signal, (engine, take) => engine.answer(request, signal, take))
}

const received = () => llama.requests.filter(({ path }) => path === "/v1/systemone").length

/** Computes batches, each when all clients have a call at the engine, until a client's request has its answers. */
async function batchesOf(clients: () => number, request: Promise<void>): Promise<number> {
  let isDone = false
  void request.then(() => {
    isDone = true
  })
  const before = llama.slots.batches
  for (;;) {
    await expect
      .poll(() => isDone || received() - llama.slots.calls === clients(), { interval: 1, timeout: 20_000 })
      .toBe(true)
    if (isDone) return llama.slots.batches - before
    if (llama.slots.batches - before > 60) throw new Error("the request starves")
    await llama.slots.step()
    await new Promise((resolve) => setImmediate(resolve))
  }
}

async function mixed(load: Case): Promise<{ alone: number[]; beside: number[] }> {
  const { slots, questions, type, isOtherId } = load
  await start(load)
  const measured = async (clients: number) => {
    const batches: number[] = []
    for (let i = 0; i < 5; i++) batches.push(await batchesOf(() => clients + 1, ask(ID, "many", questions, type)))
    return batches.toSorted((a, b) => a - b)
  }
  const alone = await measured(0)
  // Clients that ask one question after another use half of the slots, each in another phase of its prompt.
  let isOver = false
  const clients: Promise<void>[] = []
  for (let client = 0; client < slots / 2; client++) {
    const loop = async () => {
      while (!isOver) await ask(isOtherId ? OTHER_ID : ID, `single ${client}`, 1, "noul").catch(() => {})
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

const usual = { kind: "kev", type: "noul", isOtherId: false, isHybrid: false } as const
test.each<Case>([
  { ...usual, slots: 8, questions: 4 },
  { ...usual, slots: 8, questions: 4, isHybrid: true },
  { ...usual, slots: 4, questions: 4 },
  { ...usual, slots: 8, questions: 8 },
  { ...usual, slots: 8, questions: 4, kind: "lev", type: "choice" },
  { ...usual, slots: 8, questions: 8, kind: "lev" },
  { ...usual, slots: 8, questions: 8, isOtherId: true },
  { ...usual, slots: 4, questions: 4, isOtherId: true },
])(
  "$slots slots: a call of $questions $kind questions ($type, other id $isOtherId, hybrid $isHybrid) beside single questions in half of them takes at most 1.5 times as long as alone",
  async (load) => {
    const { alone, beside } = await mixed(load)
    const [quiet = 0, p50 = 0] = [alone[2], beside[2]]
    expect(quiet).toBeGreaterThanOrEqual(6)
    expect(p50 / quiet, JSON.stringify({ alone, beside })).toBeLessThanOrEqual(1.5)
  },
)
