import { createSocket } from "node:dgram"
import { once } from "node:events"
import { expect, test } from "vitest"
import { afterFile } from "@/test/after-file"
import { resolveName } from "./resolve-name"

const [A, AAAA] = [1, 28]
const NO_NAME = 3

/** The reply to a query: the data of one record of its type, an error code, or null for silence. */
type Reply = Buffer | number | null

/** Returns a DNS message that repeats the question of `query`. */
function message(query: Buffer, type: number, reply: Buffer | number): Buffer {
  const question = query.subarray(12, query.indexOf(0, 12) + 5)
  const code = typeof reply === "number" ? reply : 0
  const data = typeof reply === "number" ? null : reply
  const header = Buffer.from([0, 0, 0x81, 0x80 | code, 0, 1, 0, data ? 1 : 0, 0, 0, 0, 0])
  query.copy(header, 0, 0, 2)
  const record = data ? [Buffer.from([0xc0, 12, 0, type, 0, 1, 0, 0, 0, 60, 0, data.length]), data] : []
  return Buffer.concat([header, question, ...record])
}

/** Starts a name server that gives each type of record this reply, and returns its address. */
async function nameServer(replies: Record<number, Reply>): Promise<string> {
  const socket = createSocket("udp4")
  socket.on("message", (query, { port, address }) => {
    const type = query.readUInt16BE(query.indexOf(0, 12) + 1)
    const reply = replies[type] ?? null
    if (reply !== null) socket.send(message(query, type, reply), port, address)
  })
  afterFile(() => socket.close())
  socket.bind(0, "127.0.0.1")
  await once(socket, "listening")
  return `127.0.0.1:${socket.address().port}`
}

const IPV4 = Buffer.from([8, 8, 8, 8])
const IPV6 = Buffer.from("26064700000000000000000000001111", "hex")
const resolve = async (replies: Record<number, Reply>) => resolveName("hooks.example.com", [await nameServer(replies)])

test("a name has the addresses of both families, IPv4 first", async () => {
  expect(await resolve({ [A]: IPV4, [AAAA]: IPV6 })).toEqual([
    { address: "8.8.8.8", family: 4 },
    { address: "2606:4700::1111", family: 6 },
  ])
})

test("a name may have addresses of one family only", async () => {
  expect(await resolve({ [A]: IPV4, [AAAA]: NO_NAME })).toEqual([{ address: "8.8.8.8", family: 4 }])
  expect(await resolve({ [A]: NO_NAME, [AAAA]: IPV6 })).toEqual([{ address: "2606:4700::1111", family: 6 }])
})

test("a name without an address, or whose name server does not reply, is rejected", async () => {
  await expect(resolve({ [A]: NO_NAME, [AAAA]: NO_NAME })).rejects.toMatchObject({ code: "ENOTFOUND" })
  await expect(resolve({})).rejects.toMatchObject({ code: "ETIMEOUT" })
})
