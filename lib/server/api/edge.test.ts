import { once } from "node:events"
import * as net from "node:net"
import { beforeAll, describe, expect, it } from "vitest"
import { ALIAS } from "@/lib/shared/models/model-ids"
import { insertAccount, insertKey } from "@/test/insert-rows"
import { testService } from "@/test/service"
import { createEdge, type Edge } from "./edge"

let edge: Edge
let token: string
beforeAll(async () => {
  await testService()
  edge = createEdge("api", null)
  await edge.listen({ port: 0, host: "127.0.0.1" })
  token = (await insertKey((await insertAccount()).accountId)).token
})

/** A connection to the service that says what it has received, and when the other side closed it. */
function connect() {
  const socket = net.connect((edge.server.address() as net.AddressInfo).port, "127.0.0.1")
  const received = { text: "" }
  socket.on("data", (chunk) => {
    received.text += chunk
  })
  return { socket, received, closed: once(socket, "close") }
}

const BODY = JSON.stringify({ model: ALIAS, state: "hi", questions: { q: { type: "noul", instructions: "Is it?" } } })
const head = (...more: string[]) =>
  [
    "POST /v1/decisions HTTP/1.1",
    "host: x",
    "content-type: application/json",
    `authorization: Bearer ${token}`,
    `content-length: ${BODY.length}`,
    ...more,
    "",
    "",
  ].join("\r\n")

describe("the edge", () => {
  it("takes no notice of an expectation other than 100-continue", async () => {
    const { socket, received, closed } = connect()
    socket.write(`${head("expect: something", "connection: close")}${BODY}`)
    await closed
    expect(received.text).toMatch(/^HTTP\/1\.1 200 OK\r\n(?:.*\r\n)*x-request-id: req_/)
  })

  it("answers what comes on an open connection while it stops, then closes it", async () => {
    const { socket, received, closed } = connect()
    socket.write(head())
    await expect.poll(() => edge.inFlight.count).toBe(1)
    const stopped = edge.close()
    socket.write(`${BODY}${head()}${BODY}`)
    await closed
    await stopped
    const answers = received.text.split(/(?=HTTP\/1\.1)/)
    expect(answers).toHaveLength(2)
    for (const answer of answers) expect(answer).toMatch(/^HTTP\/1\.1 200 OK\r\n(?:.*\r\n)*x-request-id: req_/)
  })
})
