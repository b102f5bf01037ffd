import { afterEach, beforeAll, expect, vi } from "vitest"
import { BodyBudget, type BodyReservation } from "@/lib/server/api/body-budget"
import { ALIAS } from "@/lib/shared/models/model-ids"
import { insertFastKey } from "./insert-rows"
import { postHead, RawConnection, type RawResponse } from "./raw-http"
import { type TestService, testService } from "./service"

export const MIB = 1024 * 1024
export const LIMIT = 29_360_128
export const TEXT = JSON.stringify({
  model: ALIAS,
  state: "hi",
  questions: { q: { type: "noul", instructions: "Is it?" } },
})
/** For bodies of 28 MiB on a machine that runs other suites. */
export const SLOWLY = { timeout: 30_000 }

/** A budget of 28 MiB: room for one body of undeclared length, which reserves the maximum size. */
export const bodies = new BodyBudget(LIMIT)

/** Returns a valid request of exactly this many bytes, padded with white space. */
export const padded = (bytes: number): Buffer =>
  Buffer.concat([Buffer.from(TEXT), Buffer.alloc(bytes - TEXT.length, " ")])

export const summary = ({ status, body }: RawResponse): string =>
  body ? `${status} ${JSON.parse(body).error?.code ?? "ok"}` : `${status}`

/** Sends a head and the body in chunks, without the last empty one. */
export async function sendPieces(
  connection: RawConnection,
  headers: Record<string, string>,
  body: Buffer,
): Promise<void> {
  await connection.write(postHead({ "transfer-encoding": "chunked", ...headers }))
  for (let at = 0; at < body.length && connection.socket.writable; at += 65_521) {
    const piece = body.subarray(at, at + 65_521)
    connection.socket.write(`${piece.length.toString(16)}\r\n`)
    connection.socket.write(piece)
    await connection.write("\r\n")
  }
}

export async function sendChunked(
  connection: RawConnection,
  headers: Record<string, string>,
  body: Buffer,
): Promise<void> {
  await sendPieces(connection, headers, body)
  await connection.write("0\r\n\r\n")
}

export function uploads() {
  const opened: RawConnection[] = []
  const occupied: BodyReservation[] = []
  let made: { service: TestService; authorization: string }
  beforeAll(async () => {
    const service = await testService({}, { bodies })
    made = { service, authorization: `Bearer ${(await insertFastKey()).token}` }
  })
  afterEach(async () => {
    vi.restoreAllMocks()
    for (const { socket } of opened.splice(0)) socket.destroy()
    for (const reservation of occupied.splice(0)) reservation.release()
    await expect.poll(() => [bodies.used, bodies.waiting], SLOWLY).toEqual([0, 0])
  })
  const connect = (): RawConnection => {
    const connection = new RawConnection(made.service.url)
    opened.push(connection)
    return connection
  }
  return {
    service: () => made.service,
    authorization: () => made.authorization,
    connect,
    declared: (bytes: number, headers: Record<string, string> = {}) =>
      postHead({ authorization: made.authorization, "content-length": bytes, ...headers }),
    occupy: async (bytes = LIMIT): Promise<BodyReservation> => {
      const reservation = bodies.reservation()
      occupied.push(reservation)
      await reservation.reserve(bytes, new AbortController().signal)
      return reservation
    },
    answerTo: async (send: (connection: RawConnection) => Promise<void>): Promise<RawResponse> => {
      const connection = connect()
      await send(connection)
      const [answer] = await connection.awaitResponses(1, SLOWLY.timeout)
      connection.socket.destroy()
      if (!answer) throw new Error("no answer")
      return answer
    },
  }
}
