import { writeFileSync } from "node:fs"
import path from "node:path"
import { beforeAll, describe, expect, it } from "vitest"
import { parsePublicId, publicId } from "@/lib/server/platform/ids"
import { runtime } from "@/lib/server/platform/runtime"
import { testRuntime } from "@/test/database"
import { printFigure } from "@/test/figures"
import { audited, operatorJson as json, operator } from "@/test/operator"
import { tempFolder } from "@/test/temp-folder"

beforeAll(() => testRuntime({ WELCOME_CREDIT_USD: "0" }))

const folder = tempFolder()

function csv(lines: string[]): string {
  const file = path.join(folder, "credits.csv")
  writeFileSync(file, ["account,amount_usd,reference,note", ...lines].join("\n"))
  return file
}

describe("account credit", () => {
  it("with a reference changes the balance once", async () => {
    const { id } = await json("account", "create", "ada@example.com")
    const args = ["account", "credit", "ada@example.com", "5", "--note", "Trial", "--reference", "T-1"]
    expect(await json(...args)).toMatchObject({ balance_usd: "5.000000000000", repeated: false })
    expect(await json(...args)).toMatchObject({ balance_usd: "5.000000000000", repeated: true })
    expect((await operator(...args)).out).toContain(
      "The account has a change with this reference and amount already, so nothing was changed.",
    )
    const { code, err } = await operator("account", "credit", id, "6", "--note", "x", "--reference", "T-1")
    expect([code, err]).toEqual([1, "The reference was used for this account before, with another amount.\n"])
    expect(await audited("account.credit", parsePublicId("acc", id) ?? "")).toHaveLength(1)
  })

  it("takes 1,000 accounts from a file, refuses them all for one bad line, and repeats nothing", async () => {
    const { rows } = await runtime().pool.query(
      "INSERT INTO account (id) SELECT gen_random_uuid() FROM generate_series(1, 1000) RETURNING id",
    )
    const ids = rows.map(({ id }) => publicId("acc", id))
    const lines = ids.map((id, i) => `${id},0.${String(i + 1).padStart(4, "0")},2026-11,"Outage, with thanks"`)
    const refused = await operator(
      "account",
      "credit",
      "--file",
      csv([...lines.slice(0, 700), "nobody@example.com,5,R,x"]),
    )
    expect([refused.code, refused.err]).toEqual([
      1,
      "Line 702: There is no account for this e-mail address. Nothing was credited.\n",
    ])
    const entries =
      "SELECT count(*)::int AS entries, coalesce(sum(amount_pico), 0)::text AS sum FROM ledger_entry WHERE note LIKE 'Outage%'"
    expect((await runtime().pool.query(entries)).rows).toEqual([{ entries: 0, sum: "0" }])

    const file = csv(lines)
    const startedAt = performance.now()
    expect(await json("account", "credit", "--file", file)).toEqual({
      credited: 1_000,
      credited_usd: "50.050000000000",
      repeated: 0,
    })
    printFigure("1,000 accounts credited from a file, seconds", (performance.now() - startedAt) / 1_000)
    expect(await json("account", "credit", "--file", file)).toEqual({
      credited: 0,
      credited_usd: "0.000000000000",
      repeated: 1_000,
    })
    expect((await runtime().pool.query(entries)).rows).toEqual([{ entries: 1_000, sum: "50050000000000" }])
    expect((await json("ledger", "verify", "--all")).ok).toBe(true)
  })

  it.each([
    [["--file", "missing.csv"], "The file does not exist."],
    [["ada@example.com", "--file", csv([])], "--file takes the accounts, references and notes from the file"],
    [["ada@example.com", "5"], "give an account, an amount and --note, or --file"],
    [
      ["ada@example.com", "5", "--note", "x", "--reference", "a b"],
      "Use 1 to 64 letters, digits and . _ : / # - as a reference.",
    ],
  ])("is refused with %j", async (args, message) => {
    const { code, err } = await operator("account", "credit", ...args)
    expect([code, err]).toEqual([2, expect.stringContaining(message)])
  })
})
