import { afterEach, expect, test } from "vitest"
import type { Log } from "@/lib/server/platform/log"
import { checkedRequest, noul } from "@/test/checked-request"
import { type LlamaCppDouble, startLlamaCpp } from "@/test/doubles/llama-cpp"
import { systemOneModel } from "@/test/system-one-model"
import { Engines } from "./engines"

const silent: Log = { info() {}, warn() {}, error() {} }
const ID = "svc-decider"
/** A state of 401 tokens. A slot computes 100 tokens in a batch, so one question takes five batches. */
const requestOf = (n: number, questions: number) =>
  checkedRequest(
    `s${n} ${"word ".repeat(400).trim()}`,
    ...Array.from({ length: questions }, (_, i) => noul(`q${i}`, "Is it?")),
  )

let llama: LlamaCppDouble
let engines: Engines
afterEach(async () => {
  await llama.stop()
  await engines.close()
})

async function start(slots: number): Promise<void> {
  llama = await startLlamaCpp({ slots, slotTokens: 100 })
  engines = new Engines({ log: silent, onSeen: () => {}, timing: { everyMs: 600_000, probeLimitMs: 600_000 } })
  engines.sync([systemOneModel(llama.url, { tokenizer: "bytes-4" })])
  await engines.ready()
  await expect.poll(() => engines.availability(ID).available).toBe(true)
  llama.slots.stepByStep()
  llama.slots.calls = 0
  llama.requests.length = 0
}

let n = 0
async function ask(account: string, questions: number): Promise<void> {
  const { signal } = new AbortController()
  await engines.get(ID)?.run(account, signal, (engine, take) => engine.answer(requestOf(n++, questions), signal, take))
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

async function mixed(slots: number, questions: number): Promise<{ alone: number[]; beside: number[] }> {
  await start(slots)
  const measured = async (clients: number) => {
    const batches: number[] = []
    for (let i = 0; i < 5; i++) batches.push(await batchesOf(() => clients + 1, ask("many", questions)))
    return batches.toSorted((a, b) => a - b)
  }
  const alone = await measured(0)
  // Clients that ask one question after another use half of the slots, each in another phase of its prompt.
  let isOver = false
  const clients: Promise<void>[] = []
  for (let client = 0; client < slots / 2; client++) {
    const loop = async () => {
      while (!isOver) await ask(`single ${client}`, 1).catch(() => {})
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

test.each([
  [8, 4],
  [4, 4],
  [8, 8],
])(
  "with %i slots, a call of %i questions beside single questions in half of them takes at most 1.5 times as long as alone",
  async (slots, questions) => {
    const { alone, beside } = await mixed(slots, questions)
    const [usual = 0, p50 = 0] = [alone[2], beside[2]]
    expect(usual).toBeGreaterThanOrEqual(6)
    expect(p50 / usual, JSON.stringify({ alone, beside })).toBeLessThanOrEqual(1.5)
  },
)
