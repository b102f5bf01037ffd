import { afterEach, expect, test, vi } from "vitest"
import { afterFile } from "@/test/after-file"
import { connectProxy } from "@/test/connect-proxy"
import { tlsReceiver } from "@/test/tls-receiver"
import { createWebhookClient, type WebhookClient } from "./webhook-client"

const clients: WebhookClient[] = []
const receiver = await tlsReceiver()
afterEach(() => {
  receiver.received.length = 0
  receiver.respond = (_request, response) => void response.writeHead(204).end()
})
afterFile(() => Promise.all(clients.map((client) => client.close())))

type Options = NonNullable<Parameters<typeof createWebhookClient>[0]>
const loopback = async () => [{ address: "127.0.0.1", family: 4 }]

function client(options: Options = {}): WebhookClient {
  const made = createWebhookClient({ ca: receiver.ca, resolve: loopback, ...options })
  clients.push(made)
  return made
}
/** A client that may connect to the receiver of the test. */
const allowed = (options: Options = {}) => client({ isAllowed: () => true, ...options })
const here = () => `https://hooks.example.com:${receiver.port}/in?a=1`
const post = (by: WebhookClient, url = here()) => by.post(url, { "webhook-id": "msg_1" }, "{}")

test("posts the body to the address of the name, over TLS", async () => {
  expect(await post(allowed())).toEqual({ status: 204, fault: null })
  expect(receiver.received).toMatchObject([
    { body: "{}", headers: { "webhook-id": "msg_1", host: expect.stringContaining("hooks.example.com") } },
  ])
})

test("refuses a name that resolves to a private address, also as one of several", async () => {
  expect(await post(client())).toEqual({ status: null, fault: "address" })
  const mixed = async () => [
    { address: "8.8.8.8", family: 4 },
    { address: "::ffff:127.0.0.1", family: 6 },
  ]
  expect(await post(client({ resolve: mixed }))).toEqual({ status: null, fault: "address" })
  expect(receiver.received).toEqual([])
})

test("refuses a port below 1024, which an earlier release stored", async () => {
  expect(await post(allowed(), "https://hooks.example.com:25/")).toEqual({ status: null, fault: "address" })
})

test("refuses the wire server of Azure behind a name", async () => {
  const resolve = async () => [{ address: "168.63.129.16", family: 4 }]
  expect(await post(client({ resolve }))).toEqual({ status: null, fault: "address" })
})

test("connects to the address that it checked, though the name resolves to another one later", async () => {
  const resolve = vi
    .fn()
    .mockResolvedValueOnce([{ address: "127.0.0.1", family: 4 }])
    .mockResolvedValue([{ address: "10.0.0.1", family: 4 }])
  const isAllowed = (address: string) => address === "127.0.0.1"
  expect(await post(client({ resolve, isAllowed }))).toEqual({ status: 204, fault: null })
  expect(resolve).toHaveBeenCalledTimes(1)
  expect(await post(client({ resolve, isAllowed }))).toEqual({ status: null, fault: "address" })
})

test.each([
  "https://127.0.0.1:PORT/",
  "https://[::1]:PORT/",
  "https://[::ffff:7f00:1]:PORT/",
  "https://2130706433:PORT/",
  "https://0x7f.1:PORT/",
  "https://169.254.169.254/",
  "http://hooks.example.com:PORT/",
])("refuses %s without a connection", async (url) => {
  expect(await post(client(), url.replace("PORT", String(receiver.port)))).toEqual({ status: null, fault: "address" })
  expect(receiver.received).toEqual([])
})

test("does not follow a redirect", async () => {
  receiver.respond = (_request, response) => void response.writeHead(307, { location: here() }).end()
  expect(await post(allowed())).toEqual({ status: 307, fault: null })
  expect(receiver.received).toHaveLength(1)
})

test("reports a time-out without a reply in time, and the status of a reply that never ends", async () => {
  receiver.respond = () => {}
  expect(await post(allowed({ timeoutMs: 200 }))).toEqual({ status: null, fault: "timeout" })
  receiver.respond = (_request, response) => void response.writeHead(200).write("x")
  expect(await post(allowed({ timeoutMs: 3_000 }))).toEqual({ status: 200, fault: null })
})

test("stops reading an endless response", async () => {
  let sent = 0
  receiver.respond = (request, response) => {
    response.writeHead(200)
    const more = () => {
      while (!request.socket.destroyed && response.write(Buffer.alloc(16_384))) sent += 16_384
    }
    response.on("drain", more)
    more()
  }
  expect(await post(allowed())).toEqual({ status: 200, fault: null })
  // Far more than 64 KiB, because the receiver also fills the buffers of the sockets.
  expect(sent).toBeLessThan(32_000_000)
})

test("refuses a certificate that is not trusted, and a name without an address", async () => {
  const made = createWebhookClient({ resolve: loopback, isAllowed: () => true })
  clients.push(made)
  expect(await post(made)).toEqual({ status: null, fault: "certificate" })
  for (const code of ["ENOTFOUND", "ETIMEOUT", "ESERVFAIL", "ECONNREFUSED"]) {
    const resolve = () => Promise.reject(Object.assign(new Error(), { code }))
    expect(await post(allowed({ resolve }))).toEqual({ status: null, fault: "name" })
  }
})

test("through a proxy, names the address that it checked, and proves the receiver's name", async () => {
  const proxy = await connectProxy(receiver.port)
  const proxyOf = () => proxy.url
  expect(await post(allowed({ proxyOf }))).toEqual({ status: 204, fault: null })
  expect(proxy.targets).toEqual([`127.0.0.1:${receiver.port}`])
  expect(receiver.received).toMatchObject([
    { body: "{}", headers: { "webhook-id": "msg_1", host: `hooks.example.com:${receiver.port}` } },
  ])
  expect(await post(allowed({ proxyOf }), `https://other.example.com:${receiver.port}/`)).toEqual({
    status: null,
    fault: "certificate",
  })
})

test("through a proxy, reaches a receiver that is named by its address", async () => {
  const proxy = await connectProxy(receiver.port)
  const address = `https://127.0.0.1:${receiver.port}/in`
  expect(await post(allowed({ proxyOf: () => proxy.url }), address)).toEqual({ status: 204, fault: null })
  expect(proxy.targets).toEqual([`127.0.0.1:${receiver.port}`])
  expect(receiver.received).toMatchObject([{ headers: { host: `127.0.0.1:${receiver.port}` } }])
  expect(await post(client({ proxyOf: () => proxy.url }), address)).toEqual({ status: null, fault: "address" })
  expect(proxy.targets).toHaveLength(1)
})

test("through a proxy, refuses a name with a private address or without one, and reports a proxy that refuses", async () => {
  const proxy = await connectProxy(receiver.port)
  const proxyOf = () => proxy.url
  expect(await post(client({ proxyOf }))).toEqual({ status: null, fault: "address" })
  expect(await post(allowed({ proxyOf, resolve: () => Promise.reject(new Error()) }))).toEqual({
    status: null,
    fault: "name",
  })
  expect(proxy.targets).toEqual([])
  proxy.refuses = true
  expect(await post(allowed({ proxyOf }))).toEqual({ status: null, fault: "proxy" })
  expect(receiver.received).toEqual([])
})
