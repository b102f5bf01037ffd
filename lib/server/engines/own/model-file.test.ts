import { createHash, randomBytes } from "node:crypto"
import { existsSync } from "node:fs"
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises"
import path from "node:path"
import { expect, test, vi } from "vitest"
import { type HubDouble, startHub } from "@/test/doubles/hub"
import { type TinyModel, tinyGguf } from "@/test/doubles/tiny-gguf"
import { tempFolder } from "@/test/temp-folder"
import { withFolderLock } from "./folder-lock"
import { ensureModelFile, movedMainLine } from "./model-file"

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
const MAIN = "1".repeat(40)
const NEXT = "2".repeat(40)
const sha256Of = (content: Buffer) => createHash("sha256").update(content).digest("hex")

async function open(setUp: (hub: HubDouble) => void = () => {}) {
  const hub = await startHub()
  hub.files.set("small-Q4_K_M.gguf", CONTENT)
  setUp(hub)
  const root = tempFolder()
  const lines: string[] = []
  const given = {
    root,
    known: [] as string[],
    endpoint: hub.url,
    print: (line: string) => void lines.push(line),
    fetch,
  }
  const fetchModel = (source = "hf:owner/model") => ensureModelFile({ ...given, source })
  const moved = async (source = "hf:owner/model") => movedMainLine({ ...given, source }, await fetchModel(source))
  return { hub, root, lines, given, fetchModel, moved }
}

test("a model is downloaded once with its progress, and later starts need no network", async () => {
  const { hub, lines, fetchModel } = await open()
  const { file, sha256, source } = await fetchModel()
  expect(path.basename(file)).toBe("small-Q4_K_M.gguf")
  expect((await readFile(file)).equals(CONTENT)).toBe(true)
  expect(sha256).toMatch(/^[0-9a-f]{64}$/)
  expect(lines.at(-1)).toBe("Downloading small-Q4_K_M.gguf: 100 % of 3.0 MB")
  await hub.stop()
  expect(await fetchModel()).toEqual({ file, sha256, source })
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

test("a cancelled download stops, and a later order continues it", async () => {
  const { hub, root, given, fetchModel } = await open()
  const abort = new AbortController()
  const cancelled = ensureModelFile({
    ...{ ...given, source: "hf:owner/model", signal: abort.signal },
    onProgress: (done, total) => {
      expect([done > 0, total]).toEqual([true, CONTENT.length])
      abort.abort(new Error("cancelled"))
    },
  })
  await expect(cancelled).rejects.toThrow("cancelled")
  const folder = path.join(root, "models/owner/model", `@${MAIN}`)
  expect((await readdir(folder)).map((name) => name.endsWith(".part"))).toEqual([true])
  const { file } = await fetchModel()
  expect((await readFile(file)).equals(CONTENT)).toBe(true)
  expect(hub.downloads).toEqual(["all", expect.stringMatching(/^bytes=[1-9]\d*-$/)])
})

test("a file that is refused by its size is not downloaded", async () => {
  const { hub, given } = await open()
  const checkSize = (bytes: number) => {
    throw new Error(`${bytes} bytes are too many`)
  }
  const refused = ensureModelFile({ ...given, source: "hf:owner/model", checkSize })
  await expect(refused).rejects.toThrow("3000000 bytes are too many")
  expect([hub.downloads, hub.reads]).toEqual([[], []])
})

test("a later start continues what an earlier one left", async () => {
  const { hub, root, fetchModel } = await open((double) => double.cuts.push(...Array(5).fill(200_000)))
  await expect(fetchModel()).rejects.toThrow(
    /^The download of small-Q4_K_M\.gguf stopped at .+ of 3\.0 MB: .+\. Start again to resume it\.$/,
  )
  const folder = path.join(root, "models/owner/model", `@${MAIN}`)
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
  expect(existsSync(path.join(damaged.root, `models/owner/model/@${MAIN}/small-Q4_K_M.gguf`))).toBe(false)
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
  "a reply that is no commit is refused with one line: %s",
  async (reply) => {
    const hub = { root: tempFolder(), known: [], endpoint: "https://hub.example.com", print: () => {} }
    await expect(
      ensureModelFile({ ...hub, source: "hf:owner/model", fetch: async () => new Response(reply) }),
    ).rejects.toThrow("https://hub.example.com did not list owner/model: its reply is no commit.")
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

test("a file on this machine waits for no download, and a missing one reports its wait", async () => {
  const { root, given, fetchModel } = await open()
  const present = await fetchModel()
  const waits: string[] = []
  let other: Promise<unknown> = Promise.resolve()
  await withFolderLock(path.join(root, "models"), { onWait: () => {} }, async () => {
    expect(await fetchModel()).toEqual(present)
    const source = `hf:owner/model@${NEXT}:other.gguf`
    other = ensureModelFile({ ...given, source, onDownload: () => void waits.push("waits") }).catch(() => null)
    await expect.poll(() => waits).toEqual(["waits"])
  })
  await other
})

test("the hash of a local file is recorded, and computed again when the file changes", async () => {
  const { root, fetchModel } = await open()
  const file = path.join(tempFolder(), "local.gguf")
  const content = tinyGguf({ type: "lev" })
  await writeFile(file, content)
  const first = await fetchModel(file)
  expect(first).toEqual({ file, sha256: sha256Of(content), source: null })
  expect(await readdir(path.join(root, "hashes"))).toHaveLength(1)
  await writeFile(file, tinyGguf({ type: "lev", seed: 2 }))
  expect((await fetchModel(file)).sha256).not.toBe(first.sha256)
  await writeFile(file, "Not a model.")
  await expect(fetchModel(file)).rejects.toThrow("The file is not a GGUF model: it does not begin with GGUF.")
  await expect(fetchModel("/nowhere/model.gguf")).rejects.toThrow("There is no file /nowhere/model.gguf.")
})

const OTHER = withHeader({ type: "lev", seed: 2 }, 2_000_000)
const FILE = "small-Q4_K_M.gguf"

test("a source keeps its commit when main moves, and one line names the command that follows main", async () => {
  const { hub, fetchModel, moved } = await open()
  const first = await fetchModel()
  expect(first.source).toBe(`hf:owner/model@${MAIN}:${FILE}`)
  expect(await moved()).toBe(null)
  hub.move(NEXT, { [FILE]: CONTENT, "README.gguf": OTHER })
  expect(await moved()).toBe(null)
  hub.move("3".repeat(40), { [FILE]: OTHER })
  expect(await fetchModel()).toEqual(first)
  expect(await moved()).toBe(
    `The branch main of owner/model has another file now. The service keeps hf:owner/model@${MAIN}:${FILE}. To follow main: ENGINE_GGUF=hf:owner/model@${"3".repeat(40)}:${FILE} npm start`,
  )
  hub.move("4".repeat(40), { "renamed.gguf": OTHER })
  expect(await moved()).toMatch(/To follow main: ENGINE_GGUF=hf:owner\/model@4{40} npm start$/)
  await hub.stop()
  expect(await moved()).toBe(null)
})

test("of a hub that lists no SHA-256, nothing is said about main", async () => {
  const { hub, moved } = await open((double) => {
    double.listsNoHash = true
  })
  expect(await moved()).toBe(null)
  hub.move(NEXT, { [FILE]: CONTENT })
  expect(await moved()).toBe(null)
})

test("a commit that the hub does not have is refused with one line that names it", async () => {
  const { hub, fetchModel } = await open()
  await expect(fetchModel(`hf:owner/model@${NEXT}:${FILE}`)).rejects.toThrow(
    `${hub.url} has no public model owner/model with the commit ${NEXT}. Check the name, or download the file yourself.`,
  )
})

test("a named commit and file are downloaded once, whatever main is", async () => {
  const { hub, fetchModel, moved } = await open()
  hub.move(NEXT, { [FILE]: OTHER })
  const source = `hf:owner/model@${MAIN}:${FILE}`
  const { file, sha256 } = await fetchModel(source)
  expect(sha256).toBe(sha256Of(CONTENT))
  expect((await fetchModel()).sha256).toBe(sha256Of(OTHER))
  expect(await moved(source)).toBe(null)
  await hub.stop()
  expect(await fetchModel(source)).toEqual({ file, sha256, source })
})

test("a download that stopped continues with its commit although main moved", async () => {
  const { hub, fetchModel } = await open((double) => double.cuts.push(...Array(5).fill(200_000)))
  await expect(fetchModel()).rejects.toThrow("Start again to resume it.")
  hub.move(NEXT, { [FILE]: OTHER })
  expect((await fetchModel()).sha256).toBe(sha256Of(CONTENT))
})

test("an empty folder takes the commit of the model that exists", async () => {
  const { hub, given, fetchModel } = await open()
  hub.move(NEXT, { [FILE]: OTHER })
  given.known.push(`hf:owner/other@${NEXT}:${FILE}`, `hf:owner/model@${MAIN}:${FILE}`, `hf:owner/model@${NEXT}:${FILE}`)
  expect((await fetchModel()).sha256).toBe(sha256Of(CONTENT))
})

test("an empty folder takes the commit of a model whose file has spaces in its name, and the printed command quotes it", async () => {
  const file = "My model Q8_0.gguf"
  const { hub, given, fetchModel, moved } = await open((double) => {
    double.files.clear()
    double.files.set(file, CONTENT)
  })
  hub.move(NEXT, { [file]: OTHER })
  given.known.push(`hf:owner/model@${MAIN}:${file}`)
  expect(await fetchModel()).toMatchObject({ sha256: sha256Of(CONTENT), source: `hf:owner/model@${MAIN}:${file}` })
  expect(await moved()).toContain(`To follow main: ENGINE_GGUF='hf:owner/model@${NEXT}:${file}' npm start`)
})

test("a file that version 1.0.0 downloaded is used without a commit, and said to differ from main only if it does", async () => {
  const { hub, root, fetchModel, moved } = await open()
  const folder = path.join(root, "models/owner/model")
  await mkdir(folder, { recursive: true })
  await writeFile(path.join(folder, FILE), CONTENT)
  await writeFile(path.join(folder, "chosen.json"), JSON.stringify({ file: FILE }))
  const earlier = { file: path.join(folder, FILE), sha256: sha256Of(CONTENT), source: null }
  for (const source of ["hf:owner/model", `hf:owner/model:${FILE}`]) {
    expect(await fetchModel(source)).toEqual(earlier)
    expect(await moved(source)).toBe(null)
  }
  expect(hub.downloads).toEqual([])
  hub.move(NEXT, { [FILE]: OTHER })
  expect(await moved()).toMatch(`The service keeps ${FILE}. To follow main: ENGINE_GGUF=hf:owner/model@${NEXT}:${FILE}`)
})

test("a downloaded file that was changed on disk is refused", async () => {
  const { fetchModel } = await open()
  const { file } = await fetchModel()
  await writeFile(file, OTHER)
  await expect(fetchModel()).rejects.toThrow(
    `The file ${file} is not the one that was downloaded: its SHA-256 is ${sha256Of(OTHER)} instead of ${sha256Of(CONTENT)}. Delete it, and the next start downloads it again.`,
  )
})
