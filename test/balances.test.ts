import { readdirSync, readFileSync } from "node:fs"
import path from "node:path"
import { expect, test } from "vitest"

const ROOT = path.join(import.meta.dirname, "..")
const FOLDERS = ["app", "components", "lib/server/mail"]

/** Ways to show a balance that may round it up, or that show more digits than a reader needs. */
const ROUNDED_UP = [
  /format(?:Exact)?Usd\([^()]*balance/i,
  /<Money(?:(?! as=)[^>])* usd=\{[^}]*balance(?:(?! as=)[^>])*>/i,
  /head: "[^"]*balance[^"]*",(?:(?!\bas:)[^}])*\busd:/i,
]

const faultsOf = (text: string): string[] => ROUNDED_UP.flatMap((pattern) => pattern.exec(text)?.[0] ?? [])

test("every page, component and mail shows balances rounded down", () => {
  const found = FOLDERS.flatMap((folder) =>
    readdirSync(path.join(ROOT, folder), { recursive: true, encoding: "utf8" })
      .filter((file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$/.test(file))
      .flatMap((file) =>
        faultsOf(readFileSync(path.join(ROOT, folder, file), "utf8")).map((fault) => `${folder}/${file}: ${fault}`),
      ),
  )
  expect(found).toEqual([])
})

test.each([
  "formatUsd(balanceUsd)",
  "formatExactUsd(runway.balanceUsd)",
  "<Money usd={usd12(account.balancePico)} />",
  '{ head: "Balance after", usd: ({ balanceAfterUsd }) => balanceAfterUsd },',
  '{ head: "Balance after", phone: "end", usd: ({ balanceAfterUsd }) => balanceAfterUsd },',
])("%s is found", (text) => expect(faultsOf(text)).toHaveLength(1))

test.each([
  "formatBalance(balanceUsd)",
  '<Money as="balance" usd={balanceUsd} />',
  '{ head: "Balance after", phone: "end", as: "balance", usd: ({ balanceAfterUsd }) => balanceAfterUsd },',
])("%s is right", (text) => expect(faultsOf(text)).toEqual([]))
