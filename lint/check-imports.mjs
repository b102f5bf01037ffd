import fs from "node:fs"
import path from "node:path"

/**
 * Checks which file may import which, over the files of `SOURCES` in the working folder, without tests:
 *
 * - `lib/shared`, `questions` and `components` may run in the browser. They never import `lib/server`.
 * - The browser loads "use client" files, and what they import or start as a worker. They never reach `lib/server`, except for
 *   types and through a "use server" file.
 * - `lib/server` has levels. A folder imports folders of its own level or below, never above.
 * - The API's processes never load Prisma (decision 125), also not through others. Its types are fine.
 * - A file in `app` belongs to its route, whatever its folder is called. Other routes do not import it. An operator's page of an account
 *   imports the `-view.tsx` of the page that it shows.
 * - No folders import each other, also not through others, except a folder and its own subfolders. No files form a cycle. Type
 *   imports count too.
 * - Below the edges, code takes the runtime as an argument, so that a call shows what it can reach. Only `READS_RUNTIME` looks it up.
 */
const LEVELS = [
  ["start", "api", "operator", "management", "docs"],
  [
    "decisions",
    "dialects",
    "keys",
    "models",
    "limits",
    "ledger",
    "billing",
    "usage",
    "accounts",
    "members",
    "closing",
    "auth",
    "mail",
    "webhooks",
    "events",
    "audit",
    "backup",
    "signing",
    "outcomes",
    "shadows",
    "visitors",
    "status",
    "health",
  ],
  ["engines"],
  ["platform"],
]

/**
 * Files below the edges that look the runtime up: it is declared there, Next calls them with nothing else, or they hold state that is
 * a part of the runtime.
 */
const READS_RUNTIME = [
  "platform/runtime.ts",
  ...["next-auth.ts", "operator.ts", "session.ts", "user-action.ts"].map((file) => `auth/${file}`),
  ...["grants.ts", "hold-statements.ts"].map((file) => `ledger/${file}`),
].map((file) => `lib/server/${file}`)

/** Next runs this file in every page. */
const IN_EVERY_PAGE = "instrumentation-client.ts"
const API_PROCESSES = ["server.ts", "lib/server/start/api-worker.ts"]
/** The generated client and its packages, as one node of the graph. */
const PRISMA = "prisma/client"
const SOURCES = ["app", "components", "lib", "questions", "server.ts", "instrumentation.ts", IN_EVERY_PAGE]
const IMPORT =
  /(?:^|\n)\s*(?:import|export)\s+(type\s)?[^"';]*?from\s*"([^"]+)"|\bimport\(\s*"([^"]+)"\s*\)|(?:^|\n)import\s+"([^"]+)"|\bnew URL\(\s*"([^"]+)",\s*import\.meta\.url\s*\)/g

function* filesUnder(entry) {
  if (!fs.existsSync(entry)) return
  if (fs.statSync(entry).isFile()) return void (yield entry)
  for (const child of fs.readdirSync(entry, { recursive: true, encoding: "utf8" }))
    if (/\.tsx?$/.test(child) && !/\.test\.tsx?$/.test(child)) yield `${entry}/${child}`
}

const texts = new Map(
  SOURCES.flatMap((entry) => [...filesUnder(entry)]).map((file) => [file, fs.readFileSync(file, "utf8")]),
)

function resolve(from, specifier) {
  if (/^@prisma\/|^@\/prisma\/client\//.test(specifier)) return PRISMA
  if (!/^(\.|@\/)/.test(specifier)) return null
  const base = specifier.startsWith("@/") ? specifier.slice(2) : path.posix.join(path.posix.dirname(from), specifier)
  return [base, `${base}.ts`, `${base}.tsx`].find((file) => texts.has(file)) ?? null
}

function importsOf(file, text) {
  return [...text.matchAll(IMPORT)].flatMap(([, type, from, dynamic, bare, worker]) => {
    const to = resolve(file, from ?? dynamic ?? bare ?? worker)
    return to ? [{ to, isType: Boolean(type) }] : []
  })
}

const graph = new Map([...texts].map(([file, text]) => [file, importsOf(file, text)]))
const edges = [...graph].flatMap(([from, imports]) => imports.map((edge) => ({ from, ...edge })))
const isServer = (file) => file.startsWith("lib/server/")
const isPure = (file) => /^(lib\/shared|components|questions)\//.test(file)
/** Folders directly in `lib/server`, `lib/shared` and `components`, and `questions`, include their subfolders. */
const folderOf = (file) =>
  /^(lib\/(?:server|shared)\/[^/]+|components\/[^/]+|questions)(?=\/)/.exec(file)?.[0] ?? path.posix.dirname(file)
const isWithin = (a, b) => a.startsWith(`${b}/`)
const levelOf = (file) => LEVELS.findIndex((folders) => folders.includes(file.split("/")[2]))

function upwardImports() {
  const unknown = [...texts.keys()].filter((file) => isServer(file) && levelOf(file) === -1)
  const wrong = edges.filter(({ from, to }) => isServer(from) && isServer(to) && levelOf(to) < levelOf(from))
  return [
    ...unknown.map((file) => `${file} is on no level: add its folder to LEVELS in lint/check-imports.mjs`),
    ...wrong.map(({ from, to }) => `${from} imports ${to}, which is on a higher level`),
  ]
}

const hiddenRuntimes = () =>
  [...texts]
    .filter(([file, text]) => isServer(file) && levelOf(file) > 0 && /\bruntime\(\)/.test(text))
    .filter(([file]) => !READS_RUNTIME.includes(file))
    .map(([file]) => `${file} calls runtime(): take the runtime as the first argument`)

const serverImportsOfSharedCode = () =>
  edges
    .filter(({ from, to }) => isPure(from) && isServer(to))
    .map(({ from, to }) => `${from} may run in the browser, but imports ${to}`)

const ROUTE_FILE = /\/(?:page|layout|route|actions)\.tsx?$/
const routeFolders = new Set(
  [...texts.keys()].filter((file) => ROUTE_FILE.test(file)).map((file) => path.posix.dirname(file)),
)

/** Returns the folder of the route that owns a file of `app`. A route's own folders hold no page, layout or action. */
function routeOf(file) {
  const [above, part] = file.split("/_components/")
  if (part) return above
  let folder = path.posix.dirname(file)
  while (folder.includes("/") && !routeFolders.has(folder)) folder = path.posix.dirname(folder)
  return folder
}

/** Returns whether an operator's page imports the view of the account's page that it shows. */
const showsView = ({ from, to }) => from.startsWith("app/(console)/operator/accounts/[id]/") && to.endsWith("-view.tsx")

const importsOfOtherRoutes = () =>
  edges
    .filter((edge) => edge.to.startsWith("app/") && !isWithin(edge.from, routeOf(edge.to)) && !showsView(edge))
    .map(({ from, to }) => `${from} imports ${to}, which belongs to another route`)

/** Returns a route of imports to each file that `starts` load and `isFault` names. Nothing is followed beyond it or `isEnd`. */
function routesTo(starts, isFault, isEnd = () => false) {
  const seen = new Set()
  const found = []
  const visit = (file, route) => {
    if (seen.has(file) || isEnd(file)) return
    seen.add(file)
    if (isFault(file)) return void found.push(route)
    for (const { to, isType } of graph.get(file) ?? []) if (!isType) visit(to, [...route, to])
  }
  for (const file of starts) visit(file, [file])
  return found
}

function serverFilesInTheBrowser() {
  const begins = (file, directive) => new RegExp(`^["']${directive}["']`).test(texts.get(file) ?? "")
  const starts = [...texts.keys()].filter((file) => begins(file, "use client") || file === IN_EVERY_PAGE)
  return routesTo(starts, isServer, (file) => begins(file, "use server")).map(
    (route) => `the browser reaches ${route.at(-1)}: ${route.join(" → ")}`,
  )
}

const prismaInTheApi = () =>
  routesTo(API_PROCESSES, (file) => file === PRISMA).map((route) => `the API's process loads ${route.join(" → ")}`)

/** Tarjan's algorithm. Returns the strongly connected components of more than one node: each holds at least one cycle. */
function cyclesOf(nodes, targetsOf) {
  const index = new Map()
  const low = new Map()
  const stack = []
  const found = []
  const visit = (node) => {
    index.set(node, index.size)
    low.set(node, index.get(node))
    stack.push(node)
    for (const to of targetsOf(node)) {
      if (!index.has(to)) visit(to)
      if (stack.includes(to)) low.set(node, Math.min(low.get(node), low.get(to)))
    }
    if (low.get(node) !== index.get(node)) return
    const members = stack.splice(stack.indexOf(node))
    if (members.length > 1) found.push(members)
  }
  for (const node of nodes) if (!index.has(node)) visit(node)
  return found
}

const fileCycles = () =>
  cyclesOf(graph.keys(), (file) => (graph.get(file) ?? []).map(({ to }) => to)).map(
    (files) => `import cycle: ${files.join(", ")}`,
  )

const AND = new Intl.ListFormat("en")

/**
 * A folder and its subfolders may import each other: the folder lists or assembles its parts, and holds the types that they share.
 * `fileCycles` still finds two files that do so.
 */
function folderCycles() {
  const between = edges
    .map((edge) => ({ ...edge, a: folderOf(edge.from), b: folderOf(edge.to) }))
    .filter(({ a, b }) => a !== b && !isWithin(a, b) && !isWithin(b, a))
  const targetsOf = (folder) => between.filter(({ a }) => a === folder).map(({ b }) => b)
  return cyclesOf(new Set(between.map(({ a }) => a)), targetsOf).map((folders) => {
    const inside = between.filter(({ a, b }) => folders.includes(a) && folders.includes(b))
    return `${AND.format(folders.sort())} import each other:\n  ${inside.map(({ from, to }) => `${from} → ${to}`).join("\n  ")}`
  })
}

const faults = [
  ...upwardImports(),
  ...hiddenRuntimes(),
  ...serverImportsOfSharedCode(),
  ...importsOfOtherRoutes(),
  ...serverFilesInTheBrowser(),
  ...prismaInTheApi(),
  ...folderCycles(),
  ...fileCycles(),
]
for (const fault of faults) console.error(fault)
if (faults.length > 0) {
  console.error(`\n${faults.length} faults. The rules are at the top of lint/check-imports.mjs.`)
  process.exitCode = 1
}
