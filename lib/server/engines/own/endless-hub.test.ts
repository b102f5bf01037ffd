import { existsSync } from "node:fs"
import path from "node:path"
import { expect, test } from "vitest"
import { type HubDouble, startHub } from "@/test/doubles/hub"
import { printFigure } from "@/test/figures"
import { tempFolder } from "@/test/temp-folder"
import { ensureModelFile } from "./model-file"

const MIB = 1024 * 1024
/** What the connections of one test may hold besides what was asked for. */
const IN_TRANSIT = 24 * MIB

async function ask(setUp: (hub: HubDouble) => void) {
  const hub = await startHub()
  hub.files.set("small-Q4_K_M.gguf", Buffer.alloc(10))
  setUp(hub)
  const root = tempFolder()
  const before = process.memoryUsage.rss()
  let most = 0
  const timer = setInterval(() => {
    most = Math.max(most, process.memoryUsage.rss() - before)
  }, 1)
  const reason = await ensureModelFile({
    source: "hf:owner/model",
    root,
    known: [],
    endpoint: hub.url,
    print: () => {},
    fetch,
  })
    .then(() => null)
    .catch((error: Error) => error.message)
    .finally(() => clearInterval(timer))
  expect(existsSync(path.join(root, "models/owner/model"))).toBe(false)
  return { hub, reason, mib: Math.ceil(most / MIB) }
}

const isList = (pathname: string) => pathname.startsWith("/api/")

test.each([
  ["list of files", "/tree/"],
  ["commit", "/revision/"],
])("reads at most 4 MiB of a %s that has no end", async (kind, route) => {
  const { hub, reason, mib } = await ask((double) => {
    double.endless = (pathname) => (pathname.includes(route) ? 200 : null)
  })
  printFigure("MiB of memory beside an endless list", mib)
  expect(reason).toBe(`${hub.url} did not list owner/model: its reply is no ${kind}.`)
  expect(hub.flooded).toBeLessThan(4 * MIB + IN_TRANSIT)
  expect(mib).toBeLessThan(128)
})

test("reads nothing of a refusal that has no end", async () => {
  const { hub, reason } = await ask((double) => {
    double.endless = () => 500
  })
  expect(reason).toBe(`${hub.url} did not list owner/model (HTTP 500).`)
  expect(hub.flooded).toBeLessThan(IN_TRANSIT)
})

test("reads at most the asked bytes of a part that has no end", async () => {
  const { hub, reason, mib } = await ask((double) => {
    double.lie.size = 1e12
    double.endless = (pathname) => (isList(pathname) ? null : 206)
  })
  printFigure("MiB of memory beside an endless part", mib)
  expect(reason).toBe("The file is not a GGUF model: it does not begin with GGUF.")
  expect(hub.flooded).toBeLessThan(MIB + IN_TRANSIT)
  expect(mib).toBeLessThan(128)
})

test("reads at most 64 MiB of a header that has no end", async () => {
  const { hub, reason } = await ask((double) => {
    double.lie.size = 1e12
    // A header whose first key has 2^40 bytes.
    double.beginning = Buffer.from("4747554603000000000000000000000001000000000000000000000000010000", "hex")
    double.endless = (pathname) => (isList(pathname) ? null : 206)
  })
  expect(reason).toBe("The file is not a GGUF model: it ends within its header.")
  expect(hub.flooded).toBeLessThan(64 * MIB + 4 * IN_TRANSIT)
})
