import { existsSync, readdirSync, readFileSync } from "node:fs"
import { mkdir, symlink } from "node:fs/promises"
import { getPriority } from "node:os"
import path from "node:path"
import { expect, test } from "vitest"
import { verifyLedger } from "@/lib/server/ledger/verify-ledger"
import { runtime } from "@/lib/server/platform/runtime"
import { testRuntime } from "@/test/database"
import { printFigure } from "@/test/figures"
import { insertFastKey } from "@/test/insert-rows"
import { enginePackages, tinyModelFile } from "@/test/own-engine"
import { sendDecision } from "@/test/send-decision"
import { type ServerProcess, startServer } from "@/test/server-process"
import { tempFolder } from "@/test/temp-folder"
import { OwnEngine, runningEngines } from "./own-engine"

const { databaseUrl } = await testRuntime()
const SLOW = { timeout: 400_000 }
/** The engine has a lower priority, so other tests delay its start. */
const READY_WITHIN_MS = 200_000
const NOUL = { type: "noul", instructions: "Was it late?" }
const LONG = "The parcel arrived late and broken. ".repeat(150)

/** Returns a new `DATA_DIR` in which the packages of all tests are installed. */
async function dataFolder(): Promise<string> {
  const folder = tempFolder()
  const packages = await enginePackages()
  await mkdir(path.join(folder, "engine"))
  await symlink(packages, path.join(folder, "engine", path.basename(packages)))
  return folder
}

const procFile = (pid: string | number, name: string): string => {
  try {
    return readFileSync(`/proc/${pid}/${name}`, "utf8")
  } catch {
    return ""
  }
}

/** Returns the state and the parent of a process. */
const statOf = (pid: string | number): string[] =>
  procFile(pid, "stat")
    .replace(/^.*\) /, "")
    .split(" ")

/** Returns how long a process and the children that it waited for have computed. */
const processorSeconds = (pid: number): number =>
  statOf(pid)
    .slice(11, 15)
    .reduce((sum, ticks) => sum + Number(ticks) / 100, 0)

function engineOf({ pid }: ServerProcess): number {
  const isEngine = (child: string) =>
    statOf(child)[1] === String(pid) && procFile(child, "cmdline").includes("engine-process")
  return Number(
    readdirSync("/proc")
      .filter((name) => /^\d+$/.test(name))
      .find(isEngine),
  )
}

const isAlive = (pid: number): boolean => !["", "Z", "X"].includes(statOf(pid)[0] ?? "")

async function decide({ url }: ServerProcess, token: string, state: string, model = "svc-decider-latest") {
  const questions = { late: NOUL, again: { ...NOUL, instructions: "Again?" } }
  const response = await sendDecision(url, token, JSON.stringify({ model, state, questions }))
  return { status: response.status, body: (await response.json()) as Record<string, never> }
}

const charges = async (): Promise<number> => {
  const { rows } = await runtime().pool.query("SELECT count(*)::int AS count FROM ledger_entry WHERE kind = 'charge'")
  return rows[0].count
}

async function kill(server: ServerProcess): Promise<void> {
  server.signal("SIGKILL")
  await server.ended
}

test("a GGUF file answers behind the alias, and a killed engine costs nothing and comes back", SLOW, async () => {
  const { token } = await insertFastKey()
  const DATA_DIR = await dataFolder()
  const file = await tinyModelFile({ type: "lev" }, "Tiny Lev_Q8.gguf")
  const startedAt = performance.now()
  const server = await startServer(databaseUrl, { ENGINE_GGUF: file, DATA_DIR }, READY_WITHIN_MS)
  const first = await decide(server, token, "It arrived late.")
  printFigure("engine installed: seconds to the first answer, processor seconds, memory of the engine", [
    Math.round(performance.now() - startedAt) / 1_000,
    processorSeconds(server.pid) + processorSeconds(engineOf(server)),
    /VmRSS:\s+(.*)/.exec(procFile(engineOf(server), "status"))?.[1] ?? "",
  ])
  expect(first).toMatchObject({ status: 200, body: { model: "tiny-lev_q8" } })
  const { rows } = await runtime().pool.query(
    "SELECT price_pico, tokenizer, pinned_facts FROM model WHERE id = 'tiny-lev_q8'",
  )
  expect(rows[0]).toMatchObject({
    price_pico: "0",
    tokenizer: "engine",
    pinned_facts: { sha256: expect.stringMatching(/^[0-9a-f]{64}$/) },
  })
  await runtime().pool.query("UPDATE model SET price_pico = 1000 WHERE id = 'tiny-lev_q8'")
  const listed = async () => JSON.stringify(await (await fetch(`${server.url}/v1/models`)).json())
  await expect.poll(listed).toContain('"price_per_million_input_tokens_usd":"0.001000"')

  const engine = engineOf(server)
  const priorities = readdirSync(`/proc/${engine}/task`).map((thread) => getPriority(Number(thread)))
  expect([...new Set(priorities)]).toEqual([10])
  const before = await charges()
  // The short one is answered first, however slow the machine is.
  const results = ["short", ...Array.from({ length: 20 }, (_, i) => `${i} ${LONG}`)].map((state) =>
    decide(server, token, state),
  )
  await results[0]
  // A request that the stopped engine cannot answer, even if it has answered all others meanwhile.
  process.kill(engine, "SIGSTOP")
  results.push(decide(server, token, `late ${LONG}`))
  process.kill(engine, "SIGKILL")
  const statuses = (await Promise.all(results)).map(({ status }) => status)
  const answered = statuses.filter((status) => status === 200).length
  expect(statuses).toEqual(expect.arrayContaining([200, 503]))
  // On a slow machine some have timed out before: 504.
  expect(statuses.filter((status) => ![200, 503, 504].includes(status))).toEqual([])
  expect((await charges()) - before).toBe(answered)
  await expect
    .poll(async () => (await decide(server, token, "It arrived late.")).status, { timeout: 120_000 })
    .toBe(200)
  const again = await decide(server, token, "It arrived late.")
  expect(again.body.answers).toEqual(first.body.answers)
  expect(engineOf(server)).not.toBe(engine)
  const { checks } = await verifyLedger(runtime())
  expect(checks.filter(({ ok }) => !ok)).toEqual([])

  const last = engineOf(server)
  const folder = path.dirname(runningEngines(DATA_DIR).entries[0]?.[1].socketPath ?? "")
  await kill(server)
  await expect.poll(() => isAlive(last)).toBe(false)
  expect(existsSync(folder)).toBe(false)
})

test("a process that serves only the console starts no engine", async () => {
  const { env } = runtime()
  const start = (SERVE: typeof env.SERVE) => OwnEngine.start({ ...env, SERVE, ENGINE_GGUF: "missing.gguf" }, [])
  expect(await start("console")).toBe(null)
  await expect(start("api")).rejects.toThrow("ENGINE_GGUF cannot be used. There is no file missing.gguf.")
})

test("a model that cannot be used prevents the start with one line", SLOW, async () => {
  const start = async (file: string) => {
    const settings = { ENGINE_GGUF: file, DATA_DIR: await dataFolder() }
    return startServer(databaseUrl, settings, READY_WITHIN_MS).then(
      () => "started",
      (error: Error) => error.message.replace("the server did not start: ", "").trim(),
    )
  }
  expect(await start(await tinyModelFile({ type: "kev" }))).toBe(
    "Bad setting: ENGINE_GGUF cannot be used. The service cannot run decision models of type kev itself. It supports lev, openjev, nimble. Run it with llama-server and set ENGINE_URL instead of ENGINE_GGUF.",
  )
  expect(await start(await tinyModelFile({ type: null }))).toMatch(
    /^Bad setting: ENGINE_GGUF cannot be used\. The engine did not start: The model answers a simple question with a label only \d+ % of the time: use a model that is tuned to follow instructions\.$/,
  )
})
