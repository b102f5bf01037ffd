import { execFile } from "node:child_process"
import path from "node:path"
import { promisify } from "node:util"
import { beforeAll, expect, it } from "vitest"
import { ENCODERS } from "@/test/encode-body"
import { NODE_MAJORS, nodeFolder, sdksInstalled } from "@/test/sdks"

beforeAll(sdksInstalled, 300_000)

const SCRIPT = `
  import { decodeBounded } from "./lib/server/api/coding/decode-bounded.ts"
  for (const [coding, encoded, most] of JSON.parse(process.argv[1])) {
    const decoded = await decodeBounded(coding, Buffer.from(encoded, "base64"), most)
    console.log(coding, typeof decoded === "string" ? decoded : Buffer.from(decoded).toString().trim())
  }`

const hello = Buffer.from("hello, ")
const world = Buffer.from("world")
const kilobytes = Buffer.alloc(100_000, "a")

/** Bodies by their coding, how much they may decode to, and the result. */
const CASES: [coding: keyof typeof ENCODERS, encoded: Buffer, most: number, result: string][] = [
  ...(["zstd", "gzip", "deflate", "br"] as const).flatMap((coding): typeof CASES => [
    [coding, ENCODERS[coding](hello), 100, "hello, "],
    [coding, ENCODERS[coding](hello), 7, "hello, "],
    [coding, ENCODERS[coding](hello), 6, "too_large"],
    [coding, ENCODERS[coding](kilobytes), 65_536, "too_large"],
    [coding, Buffer.from("not encoded"), 100, "malformed"],
  ]),
  ["zstd", Buffer.concat([ENCODERS.zstd(hello), ENCODERS.zstd(world)]), 12, "hello, world"],
  ["zstd", Buffer.concat([ENCODERS.zstd(hello), ENCODERS.zstd(world)]), 11, "too_large"],
  ["zstd", Buffer.concat([ENCODERS.zstd(hello), Buffer.from("more")]), 100, "malformed"],
]

it.each(NODE_MAJORS)("Node %i decodes each coding to the same bytes, within the same bounds", async (major) => {
  const sent = CASES.map(([coding, encoded, most]) => [coding, encoded.toString("base64"), most])
  const args = ["--import", "tsx", "--input-type=module", "--eval", SCRIPT, JSON.stringify(sent)]
  const { stdout } = await promisify(execFile)(path.join(nodeFolder(major), "node"), args)
  expect(stdout.trim().split("\n")).toEqual(CASES.map(([coding, , , result]) => `${coding} ${result.trim()}`))
})
