import { describe, expect, it } from "vitest"
import { lint } from "./run-check"

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
