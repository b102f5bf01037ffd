import { mkdirSync, writeFileSync } from "node:fs"
import { createServer } from "node:http"
import path from "node:path"
import { expect, test } from "vitest"
import { listen } from "@/test/listen"
import { tempFolder } from "@/test/temp-folder"
import { brotliFiles } from "./brotli-files"

const root = tempFolder()
mkdirSync(path.join(root, ".next/static/chunks"), { recursive: true })
for (const name of ["a.js", "a.js.br", "b.css", "b.css.br", "small.js", "c.woff2", "c.woff2.br"])
  writeFileSync(path.join(root, ".next/static/chunks", name), "")
const choose = brotliFiles(root)
const url = await listen(
  createServer((request, response) => {
    choose(request, response)
    response.setHeader("x-file", String(request.url)).end()
  }),
)

async function sent(file: string, headers: Record<string, string> = {}, method = "GET") {
  const init = { method, headers: { "accept-encoding": "gzip, deflate, br, zstd", ...headers } }
  const response = await fetch(`${url}/_next/static/chunks/${file}`, init)
  const of = (name: string) => response.headers.get(name)
  return [of("x-file")?.replace("/_next/static/chunks/", ""), of("content-encoding"), of("content-type")]
}

const SCRIPT = ["a.js.br", "br", "application/javascript; charset=UTF-8"]

test("a script and a style sheet are sent with Brotli to clients that accept it", async () => {
  expect(await sent("a.js")).toEqual(SCRIPT)
  expect(await sent("a.js?dpl=1", {}, "HEAD")).toEqual(SCRIPT)
  expect(await sent("b.css")).toEqual(["b.css.br", "br", "text/css; charset=UTF-8"])
  expect(await sent("a.js", { "accept-encoding": "gzip;q=0.5, BR" })).toEqual(SCRIPT)
})

test("everything else is left to Next as it was asked for", async () => {
  for (const accepted of ["gzip", "identity", "br;q=0", "gzip, br; q=0.000", "brotli", ""])
    expect([accepted, await sent("a.js", { "accept-encoding": accepted })]).toEqual([accepted, ["a.js", null, null]])
  for (const file of ["small.js", "none.js", "c.woff2", "a.js.br"]) expect(await sent(file)).toEqual([file, null, null])
  expect(await sent("a.js", {}, "POST")).toEqual(["a.js", null, null])
})

test("a request whose error would be a page is left to Next", async () => {
  for (const name of ["range", "if-match", "if-unmodified-since"])
    expect([name, await sent("a.js", { [name]: "bytes=9999-" })]).toEqual([name, ["a.js", null, null]])
})
