import { afterEach, beforeEach, expect, test, vi } from "vitest"
import { S3Place } from "@/lib/server/backup/s3-place"
import { createPayments } from "@/lib/server/billing/payments"
import { findMain } from "@/lib/server/engines/own/hub-listing"
import { Transport } from "@/lib/server/engines/system-one/transport"
import { connectProxy } from "@/test/connect-proxy"
import { tlsReceiver } from "@/test/tls-receiver"
import { type Env, readEnv } from "./env"
import { createLog } from "./log"
import { openTracing } from "./open-tracing"
import { outboundFetch, proxyFor } from "./outbound"

const receiver = await tlsReceiver()
const proxy = await connectProxy(receiver.port)
const here = `https://127.0.0.1:${receiver.port}`

beforeEach(() => {
  // The certificate of the receiver is for another name. What is tested is the route.
  vi.stubEnv("NODE_TLS_REJECT_UNAUTHORIZED", "0")
  receiver.respond = (_request, response) => void response.writeHead(404).end("{}")
})
afterEach(() => {
  vi.unstubAllEnvs()
  Object.assign(proxy, { targets: [], credentials: [], refuses: false })
  receiver.received.length = 0
})

const settings = (more: Record<string, string> = {}): Env => readEnv({ HTTPS_PROXY: proxy.url, ...more })

test.each([
  ["", "https://api.stripe.com", true],
  ["", "http://collector:4318", false],
  ["*", "https://api.stripe.com", false],
  ["stripe.com", "https://api.stripe.com/v1", false],
  [".stripe.com, example.com", "https://api.stripe.com", false],
  ["*.stripe.com", "https://API.stripe.com", false],
  ["stripe.com", "https://notstripe.com", true],
  ["stripe.com:8443", "https://stripe.com", true],
  ["stripe.com:443", "https://stripe.com", false],
  ["10.0.0.0/8 192.168.1.7", "https://10.20.30.40:8443", false],
  ["10.0.0.0/8,192.168.1.7", "https://192.168.1.7", false],
  ["10.0.0.0/8,192.168.1.7", "https://192.168.1.8", true],
  ["fd00::/8", "https://[fd00::1]", false],
  ["::1", "https://[::1]:8443", false],
  ["[::1]:8443", "https://[::1]:8443", false],
  ["[::1]:8443", "https://[::1]:9443", true],
])("NO_PROXY=%s: a request to %s goes through the proxy: %s", (NO_PROXY, url, isProxied) => {
  const env = readEnv({ HTTPS_PROXY: "http://proxy.example.com:3128", NO_PROXY })
  expect(proxyFor(env, url)).toBe(isProxied ? "http://proxy.example.com:3128" : null)
})

test("without HTTPS_PROXY, nothing goes through a proxy, and both names may be in lower case", () => {
  expect(proxyFor(readEnv({}), "https://api.stripe.com")).toBeNull()
  const env = readEnv({ https_proxy: "http://proxy.example.com:3128", no_proxy: "stripe.com" })
  expect(proxyFor(env, "https://huggingface.co")).toBe("http://proxy.example.com:3128")
  expect(proxyFor(env, "https://api.stripe.com")).toBeNull()
})

const ASK: Record<string, (env: Env) => Promise<unknown>> = {
  "api.stripe.com:443": (env) =>
    createPayments({ ...env, STRIPE_SECRET_KEY: "sk_test_1" })?.stripe.balance.retrieve() ?? Promise.resolve(),
  "hub.example.com:443": (env) =>
    findMain({ endpoint: "https://hub.example.com", print: () => {}, fetch: outboundFetch(env) }, "a/b"),
  "s3.example.com:443": (env) => {
    const store = { AWS_ENDPOINT_URL: "https://s3.example.com", AWS_ACCESS_KEY_ID: "k", AWS_SECRET_ACCESS_KEY: "s" }
    return new S3Place({ ...env, ...store }, "s3://bucket/prefix").list()
  },
  "collector.example.com:443": async () => {
    const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: "https://collector.example.com" }
    for (const [name, value] of Object.entries(endpoint)) vi.stubEnv(name, value)
    const tracing = await openTracing(settings(endpoint), createLog("silent", { write: () => {} }))
    tracing?.startRequest("GET", "/", undefined).end({ code: "ok" })
    await tracing?.close()
  },
}

test.each(Object.entries(ASK))("requests to %s go through a tunnel of the proxy", async (target, ask) => {
  await ask(settings()).catch(() => {})
  expect(proxy.targets).toEqual([target])
  expect(receiver.received[0]?.headers.host).toBe(target.replace(":443", ""))
})

test("a proxy gets the user and the password of its address", async () => {
  const HTTPS_PROXY = proxy.url.replace("://", "://ada:secret@")
  await outboundFetch(readEnv({ HTTPS_PROXY }))("https://hub.example.com/")
  expect(proxy.credentials).toEqual([`Basic ${Buffer.from("ada:secret").toString("base64")}`])
})

test("an address of NO_PROXY is reached directly, and a redirect from there goes through the proxy", async () => {
  receiver.respond = ({ url }, response) =>
    void response.writeHead(url === "/" ? 307 : 200, { location: "https://cdn.example.com/file" }).end()
  const response = await outboundFetch(settings({ NO_PROXY: "127.0.0.1" }))(`${here}/`)
  expect([response.status, response.url]).toEqual([200, "https://cdn.example.com/file"])
  expect(receiver.received.map(({ headers }) => headers.host)).toEqual([here.slice(8), "cdn.example.com"])
  expect(proxy.targets).toEqual(["cdn.example.com:443"])
})

test("an engine is always reached directly", async () => {
  vi.stubEnv("HTTPS_PROXY", proxy.url)
  const transport = new Transport(here, null)
  expect((await transport.call("GET", "/models", null, AbortSignal.timeout(10_000))).status).toBe(404)
  await transport.close()
  expect(receiver.received).toHaveLength(1)
  expect(proxy.targets).toEqual([])
})
