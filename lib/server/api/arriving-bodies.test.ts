import { IncomingMessage } from "node:http"
import { Socket } from "node:net"
import { expect, test } from "vitest"
import { ArrivingBodies, BodyCutOff } from "./arriving-bodies"

const KIB = 1024

/** Begins to read a body of a network. `outcome` is its length, or the error that ended it, or null while it arrives. */
function begin(bodies: ArrivingBodies, network: string, declared: number | null, max = 64 * KIB) {
  const request = new IncomingMessage(new Socket())
  if (declared !== null) request.headers["content-length"] = String(declared)
  const read: { request: IncomingMessage; outcome: unknown } = { request, outcome: null }
  bodies.read(request, max, network).then(
    (body) => {
      read.outcome = String(body)
    },
    (error) => {
      read.outcome = error
    },
  )
  return read
}
const settled = () => new Promise((resolve) => setImmediate(resolve))

test("a body is read whole, and its memory counts only until then", async () => {
  const bodies = new ArrivingBodies()
  const declared = begin(bodies, "a", 6)
  const chunked = begin(bodies, "a", null)
  expect(bodies.bytes).toBe(4 * KIB + 64 * KIB)
  for (const { request } of [declared, chunked]) for (const part of ["abc", "def", null]) request.push(part)
  await settled()
  expect([declared.outcome, chunked.outcome, bodies.bytes]).toEqual(["abcdef", "abcdef", 0])
})

test("a body of undeclared length over the maximum is refused", async () => {
  const bodies = new ArrivingBodies()
  const { request, ...read } = begin(bodies, "a", null, 5)
  const over = begin(bodies, "a", null, 5)
  over.request.push("abcdef")
  await settled()
  expect([over.outcome, read.outcome]).toMatchObject([{ code: "request_too_large" }, null])
})

test("when the memory is used up, the network with most of it loses its oldest body, and nobody else any", async () => {
  const bodies = new ArrivingBodies(256 * KIB)
  const neighbour = begin(bodies, "b", 60 * KIB)
  const slow = [1, 2, 3].map(() => begin(bodies, "a", 60 * KIB))
  const late = begin(bodies, "c", 60 * KIB)
  await settled()
  expect(slow.map(({ outcome }) => outcome instanceof BodyCutOff)).toEqual([true, false, false])
  expect([neighbour.outcome, late.outcome, bodies.bytes]).toEqual([null, null, 240 * KIB])
})

test("bodies of a byte are bounded in number", async () => {
  const bodies = new ArrivingBodies(256 * KIB)
  const slow = Array.from({ length: 65 }, () => begin(bodies, "a", 1))
  await settled()
  expect(slow.filter(({ outcome }) => outcome instanceof BodyCutOff)).toEqual([slow[0]])
})

test("the memory of a client that leaves is free", () => {
  const bodies = new ArrivingBodies()
  begin(bodies, "a", 6).request.emit("close")
  expect(bodies.bytes).toBe(0)
})
