import { execFileSync, spawnSync } from "node:child_process"
import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import path from "node:path"
import { describe, expect, it } from "vitest"
import { tempFolder } from "@/test/temp-folder"

/** Runs a script of this folder over a project that has only these files. */
function lint(script: string, files: Record<string, string>): { status: number | null; faults: string } {
  const tree = tempFolder()
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(path.join(tree, path.dirname(file)), { recursive: true })
    writeFileSync(path.join(tree, file), text)
  }
  execFileSync("git", ["init", "--quiet"], { cwd: tree })
  const { status, stderr } = spawnSync(process.execPath, [path.join(import.meta.dirname, script)], {
    cwd: tree,
    encoding: "utf8",
  })
  return { status, faults: stderr }
}

describe("check-imports", () => {
  const CLEAN = {
    "server.ts": 'import { createEdge } from "@/lib/server/api/edge"\ncreateEdge()',
    "app/page.tsx":
      'import { Button } from "@/components/button"\nimport { find } from "@/lib/server/keys/find"\nfind(Button)',
    "app/actions.ts": '"use server"\nimport { find } from "@/lib/server/keys/find"\nexport const run = find',
    "app/run-button.tsx": '"use client"\nimport { run } from "./actions"\nexport const RunButton = run',
    "components/button.tsx": '"use client"\nimport { price } from "@/lib/shared/money"\nexport const Button = price',
    "lib/shared/money.ts": "export const price = 1",
    "lib/server/api/edge.ts": 'import { find } from "@/lib/server/keys/find"\nexport const createEdge = find',
    "lib/server/keys/find.ts": 'import { log } from "@/lib/server/platform/log"\nexport const find = log',
    "lib/server/platform/log.ts": 'import { price } from "@/lib/shared/money"\nexport const log = price',
  }

  it("passes a tree that keeps the levels", () => {
    expect(lint("check-imports.mjs", CLEAN)).toEqual({ status: 0, faults: "" })
  })

  it("passes types of Prisma in the API's process, and its client in the console's", () => {
    const files = {
      "server.ts": 'import type { ApiKey } from "@/prisma/client/client"\nexport type Key = ApiKey',
      "app/page.tsx": 'import { prisma } from "@/lib/server/platform/prisma"\nexport default prisma',
      "lib/server/platform/prisma.ts":
        'import { PrismaClient } from "@/prisma/client/client"\nexport const prisma = PrismaClient',
    }
    expect(lint("check-imports.mjs", { ...CLEAN, ...files })).toEqual({ status: 0, faults: "" })
  })

  it.each<[string, Record<string, string>, RegExp]>([
    [
      "an upward import, also of a type",
      {
        "lib/server/platform/csv.ts": 'import type { Row } from "@/lib/server/usage/row"\nexport type Csv = Row',
        "lib/server/usage/row.ts": "export type Row = string",
      },
      /platform\/csv\.ts imports lib\/server\/usage\/row\.ts, which is on a higher level/,
    ],
    [
      "a verb that looks the runtime up",
      {
        "lib/server/platform/runtime.ts": "export function runtime() {}",
        "lib/server/keys/list.ts":
          'import { runtime } from "@/lib/server/platform/runtime"\nexport const list = () => runtime()',
      },
      /keys\/list\.ts calls runtime\(\): take the runtime as the first argument/,
    ],
    [
      "a folder that is on no level",
      { "lib/server/stray/one.ts": "export const one = 1" },
      /stray\/one\.ts is on no level/,
    ],
    [
      "shared code that imports server code",
      { "lib/shared/spans/span.ts": 'import { log } from "@/lib/server/platform/log"\nexport const span = log' },
      /lib\/shared\/spans\/span\.ts may run in the browser, but imports/,
    ],
    [
      "server code that the browser reaches through another file",
      {
        "app/view.tsx": '"use client"\nimport { helper } from "./helper"\nexport const View = helper',
        "app/helper.ts": 'import { find } from "@/lib/server/keys/find"\nexport const helper = find',
      },
      /the browser reaches lib\/server\/keys\/find\.ts: app\/view\.tsx → app\/helper\.ts/,
    ],
    [
      "server code that a worker of the browser reaches",
      {
        "app/view.tsx":
          '"use client"\nexport const start = () => new Worker(new URL("./sum-worker.ts", import.meta.url), { type: "module" })',
        "app/sum-worker.ts": 'import { find } from "@/lib/server/keys/find"\npostMessage(find)',
      },
      /the browser reaches lib\/server\/keys\/find\.ts: app\/view\.tsx → app\/sum-worker\.ts/,
    ],
    [
      "server code that every page loads first",
      { "instrumentation-client.ts": 'import { find } from "@/lib/server/keys/find"\nfind()' },
      /the browser reaches lib\/server\/keys\/find\.ts: instrumentation-client\.ts/,
    ],
    [
      "Prisma in the API's process, through another file",
      {
        "server.ts": 'import { find } from "@/lib/server/keys/find"\nfind()',
        "lib/server/keys/find.ts": 'import { prisma } from "@/lib/server/platform/prisma"\nexport const find = prisma',
        "lib/server/platform/prisma.ts":
          'import { PrismaClient } from "@/prisma/client/client"\nexport const prisma = PrismaClient',
      },
      /the API's process loads server\.ts → lib\/server\/keys\/find\.ts → lib\/server\/platform\/prisma\.ts → prisma\/client/,
    ],
    [
      "a package of Prisma in a worker of the API",
      { "lib/server/start/api-worker.ts": 'import { PrismaPg } from "@prisma/adapter-pg"\nnew PrismaPg()' },
      /the API's process loads lib\/server\/start\/api-worker\.ts → prisma\/client/,
    ],
    [
      "a part of a page that another page imports",
      {
        "app/(console)/keys/[id]/page.tsx": 'import { Row } from "../_components/row"\nexport default Row',
        "app/(console)/keys/_components/row.tsx": "export const Row = 1",
        "app/(console)/usage/page.tsx": 'import { Row } from "../keys/_components/row"\nexport default Row',
      },
      /usage\/page\.tsx imports app\/\(console\)\/keys\/_components\/row\.tsx, which belongs to another route/,
    ],
    [
      "another folder of a page that another page imports",
      {
        "app/(console)/playground/page.tsx": 'import { draft } from "./model/draft"\nexport default draft',
        "app/(console)/playground/model/draft.ts": "export const draft = 1",
        "app/(console)/usage/page.tsx": 'import { draft } from "../playground/model/draft"\nexport default draft',
      },
      /usage\/page\.tsx imports app\/\(console\)\/playground\/model\/draft\.ts, which belongs to another route/,
    ],
    [
      "an action that a component above its route imports",
      {
        "app/(console)/layout.tsx": 'import { Menu } from "./_components/menu"\nexport default Menu',
        "app/(console)/_components/menu.tsx": 'import { save } from "../settings/actions"\nexport const Menu = save',
        "app/(console)/settings/actions.ts": '"use server"\nexport const save = 1',
      },
      /_components\/menu\.tsx imports app\/\(console\)\/settings\/actions\.ts, which belongs to another route/,
    ],
    [
      "two folders that import each other",
      {
        "lib/server/models/list.ts": 'import { find } from "@/lib/server/keys/find"\nexport const list = find',
        "lib/server/models/entry.ts": "export const entry = 1",
        "lib/server/keys/other.ts": 'import { entry } from "@/lib/server/models/entry"\nexport const other = entry',
      },
      /lib\/server\/keys and lib\/server\/models import each other/,
    ],
    [
      "three folders of which each imports the next",
      {
        "lib/server/models/list.ts": 'import { find } from "@/lib/server/keys/find"\nexport const list = find',
        "lib/server/usage/sum.ts": 'import { entry } from "@/lib/server/models/entry"\nexport const sum = entry',
        "lib/server/models/entry.ts": "export const entry = 1",
        "lib/server/usage/day.ts": "export const day = 1",
        "lib/server/keys/other.ts": 'import { day } from "@/lib/server/usage/day"\nexport const other = day',
      },
      /lib\/server\/keys, lib\/server\/models, and lib\/server\/usage import each other/,
    ],
    [
      "a page's folders that import each other",
      {
        "app/list/model/entry.ts": 'import { show } from "../view/show"\nexport const entry = show',
        "app/list/model/state.ts": "export const state = 1",
        "app/list/view/show.ts": "export const show = 1",
        "app/list/view/other.ts": 'import { state } from "../model/state"\nexport const other = state',
      },
      /app\/list\/model and app\/list\/view import each other/,
    ],
    [
      "a cycle of files",
      {
        "lib/shared/a.ts": 'export { b } from "./b"\nexport const a = 1',
        "lib/shared/b.ts": 'import type { a } from "./a"\nexport const b: typeof a = 1',
      },
      /import cycle: lib\/shared\/[ab]\.ts, lib\/shared\/[ab]\.ts/,
    ],
  ])("finds %s", (_what, files, fault) => {
    const { status, faults } = lint("check-imports.mjs", { ...CLEAN, ...files })
    expect(faults).toMatch(fault)
    expect(faults).toMatch(/\n1 faults\./)
    expect(status).toBe(1)
  })
})

describe("check-rows", () => {
  const SCHEMA = `model ApiKey {
  id        String @id @db.Uuid
  limitPico BigInt @map("limit_pico")
}
`
  const check = (files: Record<string, string>) => lint("check-rows.mjs", { "prisma/schema.prisma": SCHEMA, ...files })

  it.each<[string, Record<string, string>, string]>([
    [
      "in the call",
      { "lib/server/keys/a.ts": "await pool.query<{ id: string }>(SELECT)\n" },
      "lib/server/keys/a.ts types the column id by hand: use Row",
    ],
    [
      "in an interface, beside what SQL computes",
      {
        "lib/server/keys/a.ts":
          "interface Found {\n  total: number\n  limit_pico: string | null\n}\n\nawait pool.query<Found>(SELECT)\n",
      },
      "lib/server/keys/a.ts types the column limit_pico by hand: use Row",
    ],
    [
      "in a type of another file, under the name of its field",
      {
        "lib/server/keys/a.ts": 'import type { Found } from "./found"\n\nawait pool.query<Found>(SELECT)\n',
        "lib/server/keys/found.ts": "export type Found = { limitPico: string }\n",
      },
      "lib/server/keys/found.ts types the column limitPico by hand: use Row",
    ],
  ])("finds a column that is typed by hand %s", (_where, files, fault) => {
    expect(check(files)).toEqual({
      status: 1,
      faults: expect.stringMatching(`^${fault.replaceAll(".", "\\.")}\n\n1 faults`),
    })
  })

  it("passes columns of the schema, what SQL computes, a narrower type, and the ledger", () => {
    const files = {
      "lib/server/keys/a.ts":
        'type Found = Row<"ApiKey", "id" | "limit_pico"> & { total: number; id: KeyId }\n\nawait pool.query<Found>(SELECT)\n',
      "lib/server/ledger/a.ts": "await pool.query<{ id: string }>(SELECT)\n",
    }
    expect(check(files)).toEqual({ status: 0, faults: "" })
  })
})

describe("check-words", () => {
  it.each([
    ["a comment", "/** The hold is let go. */", '"let go": write release'],
    ["a name in camel case", "const letGo = 1", '"let Go": write release'],
    ["a file name in an import", 'import { release } from "./let-go"', '"let go": write release'],
    ["interface text", 'const hint = "The most it can cost"', '"The most it": write the maximum'],
    ["a docstring of a function", "/** Starts the jobs; answers how to stop them. */", '"answers how": write returns'],
    ["a test's name", 'test("ends, wherever it stands")', "write current value, position, state"],
    ["another form of it", "// The clock stands still.", '"stands still": write is frozen'],
    ["a docstring that begins with it", "/** Answers the id. */", "write returns"],
  ])("finds a word in %s, with its place", (_where, line, fault) => {
    const { status, faults } = lint("check-words.mjs", { "lib/a.ts": `export {}\n${line}\n` })
    expect(faults).toContain("lib/a.ts:2 ")
    expect(faults).toContain(fault)
    expect(status).toBe(1)
  })

  it("finds a word in a file's own name, and in the files of an operator", () => {
    const { faults } = lint("check-words.mjs", {
      "lib/let-go.ts": "export {}\n",
      "docs/alerts.yml": "# The database is away.\n",
    })
    expect(faults.split("\n").slice(0, 2)).toEqual([
      'docs/alerts.yml:1 "is away": write is unavailable, unreachable',
      'lib/let-go.ts:0 "let go": write release',
    ])
  })

  it.each([
    "The answers of a request, one for each question.",
    "The service answers a request with 503.",
    "The engine answers again.",
    "Next to each other, in the background, a waiting request.",
    "The doorway of an indoor shop.",
  ])("accepts: %s", (text) => {
    expect(lint("check-words.mjs", { "docs/a.md": text, "docs/spec.md": "a door" })).toEqual({ status: 0, faults: "" })
  })
})

describe("check-lock", () => {
  const SHA512 = `sha512-${"a".repeat(86)}==`
  const check = (packages: object, npmrc = "ignore-scripts=true\n") =>
    lint("check-lock.mjs", { ".npmrc": npmrc, "tool/package-lock.json": JSON.stringify({ packages }) })

  it("passes packages with a SHA-512, also one whose install script is known", () => {
    const packages = {
      "": { name: "tool" },
      "node_modules/zod": { integrity: SHA512 },
      "node_modules/tsx/node_modules/esbuild": { integrity: SHA512, hasInstallScript: true },
    }
    expect(check(packages)).toEqual({ status: 0, faults: "" })
  })

  it.each<[string, object, string]>([
    ["no SHA-512", { integrity: "sha1-2jmj7l5rSw0yVb/vlWAYkK/YBwk=" }, "zod has no SHA-512"],
    ["no integrity", {}, "zod has no SHA-512"],
    [
      "Git as its source",
      { integrity: SHA512, resolved: "git+ssh://git@github.com/colinhacks/zod.git#2f2be9b" },
      "zod has an address",
    ],
    [
      "another address as its source",
      { integrity: SHA512, resolved: "https://packages.example.com/zod-4.6.7.tgz" },
      "zod has an address",
    ],
    ["an unknown install script", { integrity: SHA512, hasInstallScript: true }, "zod has an install script"],
  ])("finds a package with %s", (_, entry, fault) => {
    const { status, faults } = check({ "node_modules/zod": entry })
    expect(status).toBe(1)
    expect(faults).toContain(`tool/package-lock.json: ${fault}`)
  })

  it("finds a project whose installation runs scripts", () => {
    expect(check({}, "loglevel=silent\n").faults).toBe(".npmrc: npm runs install scripts. Set ignore-scripts=true\n")
  })
})

describe("check-migrations", () => {
  const BASELINE = "CREATE TABLE api_key (id uuid);\nCREATE INDEX api_key_name_idx ON api_key (name);"
  const check = (sql: string) =>
    lint("check-migrations.mjs", {
      "prisma/migrations/1_baseline/migration.sql": BASELINE,
      "prisma/migrations/2_next/migration.sql": sql,
    })

  it.each([
    "-- outside a transaction\nCREATE INDEX CONCURRENTLY IF NOT EXISTS api_key_note_idx ON api_key (note);",
    'CREATE TABLE "note" (id uuid);\nCREATE INDEX "note_idx" ON "note" (id);\nALTER TABLE note ADD PRIMARY KEY (id);',
    "CREATE INDEX request_event_idx ON ONLY request_event (id);",
    "ALTER TABLE api_key ADD CONSTRAINT api_key_note_key UNIQUE USING INDEX api_key_note_idx;",
    "-- CREATE INDEX api_key_note_idx ON api_key (note);\nALTER TABLE api_key ADD COLUMN note text;",
  ])("passes %s", (sql) => {
    expect(check(sql)).toEqual({ status: 0, faults: "" })
  })

  it.each([
    "CREATE INDEX api_key_note_idx ON api_key (note);",
    'CREATE UNIQUE INDEX "api_key_note_key"\n  ON "public"."api_key" ("note");',
    "CREATE INDEX IF NOT EXISTS api_key_note_idx ON api_key (note);",
    "ALTER TABLE api_key ADD COLUMN note text;\nALTER TABLE api_key ADD CONSTRAINT note_key UNIQUE (note);",
    "ALTER TABLE ONLY api_key ADD COLUMN note text UNIQUE;",
  ])("finds an index that blocks writes: %s", (sql) => {
    expect(check(sql)).toEqual({
      status: 1,
      faults: "prisma/migrations/2_next makes an index of api_key while writes to it wait: make it CONCURRENTLY\n",
    })
  })
})

describe("Biome", () => {
  it("finds a promise of another file that nothing waits for, and no other", () => {
    const tree = tempFolder()
    const files = {
      "biome.json": readFileSync("biome.json", "utf8").replace("./node_modules", path.resolve("node_modules")),
      "charge.ts": "export async function charge(): Promise<void> {}\n",
      "floating.ts": 'import { charge } from "./charge"\n\nexport function close() {\n  charge()\n}\n',
      "awaited.ts": 'import { charge } from "./charge"\n\nexport async function close() {\n  await charge()\n}\n',
      "void.ts": 'import { charge } from "./charge"\n\nexport function close() {\n  void charge()\n}\n',
    }
    for (const [file, text] of Object.entries(files)) writeFileSync(path.join(tree, file), text)
    execFileSync("git", ["init", "--quiet"], { cwd: tree })
    const args = ["lint", "--reporter=github", "."]
    const { status, stdout } = spawnSync(path.resolve("node_modules/.bin/biome"), args, { cwd: tree, encoding: "utf8" })
    expect(status).toBe(1)
    expect(stdout.match(/[^/]+,line=\d+/g)).toEqual(["floating.ts,line=4"])
  })
})
