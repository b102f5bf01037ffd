import { createHash, randomBytes } from "node:crypto"
import { existsSync } from "node:fs"
import { readdir, readFile, writeFile } from "node:fs/promises"
import path from "node:path"
import { expect, test, vi } from "vitest"
import { type HubDouble, startHub } from "@/test/doubles/hub"
import { type TinyModel, tinyGguf } from "@/test/doubles/tiny-gguf"
import { tempFolder } from "@/test/temp-folder"
import { ensureModelFile } from "./model-file"

// Attempts to resume a download, and to get a lock, are a second apart.
vi.mock("node:timers/promises", async (original) => ({
  ...(await original<typeof import("node:timers/promises")>()),
  setTimeout: () => new Promise((resolve) => setTimeout(resolve, 10)),
}))

const withHeader = (model: TinyModel, bytes: number): Buffer => {
  const beginning = tinyGguf(model)
  return Buffer.concat([beginning, randomBytes(bytes - beginning.length)])
}
const CONTENT = withHeader({ type: "lev" }, 3_000_000)

async function open(setUp: (hub: HubDouble) => void = () => {}) {
  const hub = await startHub()
  hub.files.set("small-Q4_K_M.gguf", CONTENT)
  setUp(hub)
  const root = tempFolder()
  const lines: string[] = []
  const fetchModel = (source = "hf:owner/model") =>
    ensureModelFile({ source, root, endpoint: hub.url, print: (line) => void lines.push(line), fetch })
  return { hub, root, lines, fetchModel }
}

test("a model is downloaded once with its progress, and later starts need no network", async () => {
  const { hub, lines, fetchModel } = await open()
  const { file, sha256 } = await fetchModel()
  expect(path.basename(file)).toBe("small-Q4_K_M.gguf")
  expect((await readFile(file)).equals(CONTENT)).toBe(true)
  expect(sha256).toMatch(/^[0-9a-f]{64}$/)
  expect(lines.at(-1)).toBe("Downloading small-Q4_K_M.gguf: 100 % of 3.0 MB")
  await hub.stop()
  expect(await fetchModel()).toEqual({ file, sha256 })
  expect(hub.downloads).toEqual(["all"])
})

test("a download that is cut continues where it stopped", async () => {
  const { hub, fetchModel } = await open((double) => double.cuts.push(1_000_000, 500_000))
  const { file } = await fetchModel()
  expect((await readFile(file)).equals(CONTENT)).toBe(true)
  expect(hub.downloads).toHaveLength(3)
  const resumedAt = hub.downloads.slice(1).map((range) => Number(/\d+/.exec(range)?.[0]))
  expect(resumedAt[0]).toBeGreaterThan(0)
  expect(resumedAt[1]).toBeGreaterThan(resumedAt[0] ?? 0)
})

test("a later start continues what an earlier one left", async () => {
  const { hub, root, fetchModel } = await open((double) => double.cuts.push(...Array(5).fill(200_000)))
  await expect(fetchModel()).rejects.toThrow(
    /^The download of small-Q4_K_M\.gguf stopped at .+ of 3\.0 MB: .+\. Start again to resume it\.$/,
  )
  const folder = path.join(root, "models/owner/model")
  expect((await readdir(folder)).filter((name) => name.endsWith(".part"))).toHaveLength(1)
  const { file } = await fetchModel()
  expect((await readFile(file)).equals(CONTENT)).toBe(true)
  expect(hub.downloads.at(-1)).toMatch(/^bytes=[1-9]\d*-$/)
})

test("a hub that ignores the range sends the file again from its beginning", async () => {
  const { hub, fetchModel } = await open((double) => {
    double.cuts.push(1_000_000)
    double.ignoresRange = true
  })
  expect((await readFile((await fetchModel()).file)).equals(CONTENT)).toBe(true)
  expect(hub.downloads).toHaveLength(2)
})

test("a file of another size or hash than the hub lists is refused", async () => {
  const short = await open((double) => {
    double.lie.size = CONTENT.length + 1
  })
  await expect(short.fetchModel()).rejects.toThrow("stopped at 3.0 MB of 3.0 MB")
  const long = await open((double) => {
    double.lie.size = CONTENT.length - 1
  })
  await expect(long.fetchModel()).rejects.toThrow(
    "The download of small-Q4_K_M.gguf is damaged: it is longer than the hub says.",
  )
  const damaged = await open((double) => {
    double.lie.sha256 = "ab".repeat(32)
  })
  await expect(damaged.fetchModel()).rejects.toThrow(
    "The download of small-Q4_K_M.gguf is damaged: its SHA-256 is not the one that the hub lists.",
  )
  expect(existsSync(path.join(damaged.root, "models/owner/model/small-Q4_K_M.gguf"))).toBe(false)
})

test("a missing model or file is refused with one line that names what there is", async () => {
  const { hub, fetchModel } = await open((double) => double.files.set("other.gguf", CONTENT))
  await expect(fetchModel("hf:owner/missing")).rejects.toThrow(
    `${hub.url} has no public model owner/missing. Check the name, or download the file yourself.`,
  )
  await expect(fetchModel("hf:owner/model:none.gguf")).rejects.toThrow(
    "The model owner/model has no file none.gguf. Name one of its files: small-Q4_K_M.gguf, other.gguf.",
  )
  expect(path.basename((await fetchModel("hf:owner/model:other.gguf")).file)).toBe("other.gguf")
})

test.each(["<html>Sign in to the network</html>", "", '{"error":"busy"}', "[null]"])(
  "a reply that is no list of files is refused with one line: %s",
  async (reply) => {
    const hub = { root: tempFolder(), endpoint: "https://hub.example.com", print: () => {} }
    await expect(
      ensureModelFile({ ...hub, source: "hf:owner/model", fetch: async () => new Response(reply) }),
    ).rejects.toThrow("https://hub.example.com did not list owner/model: its reply is no list of files.")
  },
)

test("a model that does not run here is refused before it is downloaded", async () => {
  const { hub, root, fetchModel } = await open((double) => {
    double.files.set("small-Q4_K_M.gguf", withHeader({ type: "kev" }, 3_000_000))
  })
  await expect(fetchModel()).rejects.toThrow(
    "The service cannot run decision models of type kev itself. It supports lev, openjev, nimble. Run it with llama-server and set ENGINE_URL instead of ENGINE_GGUF.",
  )
  hub.files.set("small-Q4_K_M.gguf", randomBytes(3_000_000))
  await expect(fetchModel()).rejects.toThrow("The file is not a GGUF model: it does not begin with GGUF.")
  expect(hub.reads).toEqual(["bytes=0-1048575", "bytes=0-1048575"])
  expect(hub.downloads).toEqual([])
  expect(existsSync(path.join(root, "models/owner/model"))).toBe(false)
})

test("a long header is read in further parts, each once", async () => {
  const template = "{{ state }}".padEnd(1_500_000)
  const { hub, fetchModel } = await open((double) => {
    double.files.set("small-Q4_K_M.gguf", withHeader({ type: "lev", template }, 3_000_000))
  })
  await fetchModel()
  expect(hub.reads).toEqual(["bytes=0-1048575", "bytes=1048576-4194303"])
})

test("a hub cannot name a file outside the model's folder", async () => {
  const { fetchModel } = await open((double) => {
    double.files.clear()
    double.files.set("../../../escaped.gguf", CONTENT)
  })
  await expect(fetchModel()).rejects.toThrow("The model owner/model has no single GGUF file.")
})

test("concurrent starts download once", async () => {
  // The cut download is continued after a second, long after the other start looks for the lock again.
  const { hub, lines, fetchModel } = await open((double) => double.cuts.push(1_000_000))
  const [one, other] = await Promise.all([fetchModel(), fetchModel()])
  expect(one).toEqual(other)
  expect(hub.downloads).toHaveLength(2)
  expect(lines).toContain("Another process is downloading a model; waiting for it…")
})

test("the hash of a local file is recorded, and computed again when the file changes", async () => {
  const { root, fetchModel } = await open()
  const file = path.join(tempFolder(), "local.gguf")
  const content = tinyGguf({ type: "lev" })
  await writeFile(file, content)
  const first = await fetchModel(file)
  expect(first).toEqual({ file, sha256: createHash("sha256").update(content).digest("hex") })
  expect(await readdir(path.join(root, "hashes"))).toHaveLength(1)
  await writeFile(file, tinyGguf({ type: "lev", seed: 2 }))
  expect((await fetchModel(file)).sha256).not.toBe(first.sha256)
  await writeFile(file, "Not a model.")
  await expect(fetchModel(file)).rejects.toThrow("The file is not a GGUF model: it does not begin with GGUF.")
  await expect(fetchModel("/nowhere/model.gguf")).rejects.toThrow("There is no file /nowhere/model.gguf.")
})
