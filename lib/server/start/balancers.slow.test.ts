import { createServer } from "node:http"
import { setTimeout as sleep } from "node:timers/promises"
import { expect, it } from "vitest"
import { DIALECTS } from "@/lib/server/dialects/dialects"
import { type Ports, startHaproxy, startNginx } from "@/test/balancer"
import { testRuntime } from "@/test/database"
import { freePort } from "@/test/free-port"
import { insertFastKey } from "@/test/insert-rows"
import { listen } from "@/test/listen"
import { testScale } from "@/test/scale"
import { sendDecision } from "@/test/send-decision"
import { type ServerProcess, startServer } from "@/test/server-process"

const { databaseUrl } = await testRuntime()

/** How often a process is restarted: each one once, or 20 times in all with `TEST_SCALE=10`. */
const RESTARTS = 2 * testScale
const CLIENTS = 3
/** HAProxy checks every 200 ms, but on a busy machine it may be paused for seconds. */
const DRAIN_S = "8"

/** Sends decisions one after another until it is stopped. Returns how many got each response, such as `200`. */
function keepAsking(url: string, key: string): { stop(): Promise<Record<string, number>> } {
  const counts: Record<string, number> = {}
  let isOver = false
  const ask = async () => {
    // nginx closes idle connections when it reloads.
    const response = await sendDecision(url, key, undefined, { connection: "close" })
    const body = await response.text()
    return response.ok ? String(response.status) : `${response.status} ${body}`
  }
  const client = async () => {
    while (!isOver) {
      const outcome = await ask().catch(String)
      counts[outcome] = (counts[outcome] ?? 0) + 1
      await sleep(10)
    }
  }
  const clients = Promise.all(Array.from({ length: CLIENTS }, client))
  return {
    async stop() {
      isOver = true
      await clients
      return counts
    },
  }
}

it("while two processes restart under load, nginx and HAProxy lose no request", {
  timeout: 240_000 * testScale,
}, async () => {
  const { token } = await insertFastKey(1_000_000_000_000_000n)
  const ports: Ports = [await freePort(), await freePort()]
  const launch = (port: number) => startServer(databaseUrl, { PORT: String(port), TRUSTED_PROXY_HOPS: "1", DRAIN_S })
  const servers: ServerProcess[] = await Promise.all(ports.map(launch))
  const balancers = await Promise.all([startNginx(ports), startHaproxy(ports)])
  const haveBoth = async () => (await Promise.all(balancers.map(({ hasBoth }) => hasBoth()))).every(Boolean)
  await expect.poll(haveBoth).toBe(true)

  const loads = balancers.map(({ url }) => keepAsking(url, token))
  for (let i = 0; i < RESTARTS; i++) {
    const port = ports[i % 2] as number
    await Promise.all(balancers.map(({ takeOut }) => takeOut(port)))
    servers[i % 2]?.signal("SIGTERM")
    expect(await servers[i % 2]?.ended).toBe(0)
    servers[i % 2] = await launch(port)
    await Promise.all(balancers.map(({ putBack }) => putBack()))
    await expect.poll(haveBoth).toBe(true)
  }
  const [nginx = {}, haproxy = {}] = await Promise.all(loads.map((load) => load.stop()))
  process.stdout.write(`${RESTARTS} restarts: nginx ${JSON.stringify(nginx)}, HAProxy ${JSON.stringify(haproxy)}\n`)
  for (const counts of [nginx, haproxy]) {
    expect(Object.keys(counts)).toEqual(["200"])
    expect(counts[200]).toBeGreaterThan(20)
  }
  for (const server of servers) server.signal("SIGTERM")
  await Promise.all([...balancers.map(({ stop }) => stop()), ...servers.map(({ ended }) => ended)])
})

/** Starts a server that is ready, and answers every other request with its name. Returns its port. */
async function startNamed(name: string): Promise<number> {
  const server = createServer((_request, response) => void response.end(name))
  return Number(new URL(await listen(server)).port)
}

it("nginx and HAProxy send /v1 and the paths of dialects to the API and everything else to the console", async () => {
  const apis: Ports = [await startNamed("api"), await startNamed("api")]
  const consoles: Ports = [await startNamed("console"), await startNamed("console")]
  for (const { url, hasBoth, stop } of [await startNginx(apis, consoles), await startHaproxy(apis, consoles)]) {
    await expect.poll(hasBoth).toBe(true)
    const servedBy = async (path: string) => (await fetch(url + path)).text()
    await expect.poll(() => servedBy("/")).toBe("console")
    const dialects = DIALECTS.flatMap(({ bases }) => bases.map((base) => `${base}/decisions`))
    for (const path of ["/v1/decisions", "/v1/models?x=1", ...dialects]) expect(await servedBy(path)).toBe("api")
    for (const path of ["/docs/v1/", "/v10", "/status.json", "/api/stripe/webhook", "/playground/decisions"])
      expect(await servedBy(path)).toBe("console")
    for (const path of ["/api/account", "/api/v10", "/openai.txt"]) expect(await servedBy(path)).toBe("console")
    await stop()
  }
})
