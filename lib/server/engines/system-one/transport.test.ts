import { PassThrough, Readable } from "node:stream"
import { expect, it } from "vitest"
import { eachPiece } from "./transport"

async function read(body: Readable, most = 10): Promise<string> {
  const pieces: Buffer[] = []
  await eachPiece(body, most, (piece) => pieces.push(piece))
  return Buffer.concat(pieces).toString()
}

it("reads a complete body of the allowed size and not a byte more", async () => {
  expect(await read(Readable.from([Buffer.from("01234"), Buffer.from("56789")]))).toBe("0123456789")
  await expect(read(Readable.from([Buffer.from("01234"), Buffer.from("567890")]))).rejects.toMatchObject({
    code: "upstream_error",
  })
})

it("rejects when a body closes before its end, with or without an error", async () => {
  const [silent, broken] = [new PassThrough(), new PassThrough()]
  const answers = Promise.allSettled([read(silent), read(broken)])
  silent.destroy()
  broken.destroy(new Error("reset"))
  expect(await answers).toMatchObject([
    { status: "rejected", reason: { code: "upstream_error" } },
    { status: "rejected", reason: new Error("reset") },
  ])
})
