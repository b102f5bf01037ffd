import { describe, expect, it } from "vitest"
import { lint } from "./run-check"

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
      "a view of an account's page that no operator's page imports",
      {
        "app/(console)/keys/page.tsx": 'import { view } from "./_components/keys-view"\nexport default view',
        "app/(console)/keys/_components/keys-view.tsx": "export const view = 1",
        "app/(console)/operator/accounts/[id]/keys/page.tsx":
          'import { view } from "../../../../keys/_components/keys-view"\nexport default view',
        "app/(console)/usage/page.tsx": 'import { view } from "../keys/_components/keys-view"\nexport default view',
      },
      /^[^\n]*usage\/page\.tsx imports app\/\(console\)\/keys\/_components\/keys-view\.tsx, which belongs to another route\n\n1 fault/,
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
