import { expect, test } from "vitest"
import { CONFIRMATIONS } from "@/lib/shared/auth/confirmations"
import { READING, VERBS } from "./verb-register"

const nameOf = (verb: string): string => verb.slice(verb.lastIndexOf(" ") + 1)
const changing = (verbs: string[]): string[] => verbs.map(nameOf).filter((verb) => !READING.test(verb))
const MORE = ["operate", "streamExport", "manageKeysByToken"]

/** Returns what has no row, and what has one without being such a verb. */
function differences(verbs: string[]): string[] {
  const expected = [...changing(verbs), ...MORE]
  const rows = Object.keys(CONFIRMATIONS)
  return [...expected.filter((verb) => !rows.includes(verb)), ...rows.filter((row) => !expected.includes(row))]
}

test("every verb that changes something has a row in the table of confirmations", () => {
  expect(differences(Object.keys(VERBS))).toEqual([])
})

test("the comparison finds a new verb without a row, and a row whose verb is gone", () => {
  expect(differences([...Object.keys(VERBS), "keys/give-away.ts giveAway"])).toEqual(["giveAway"])
  expect(differences(Object.keys(VERBS).filter((verb) => nameOf(verb) !== "createKey"))).toEqual(["createKey"])
})

test("no two verbs share a name", () => {
  const names = changing(Object.keys(VERBS))
  expect(new Set(names).size).toBe(names.length)
})

test("verbs of the operator need the scope `operator`, and no other verb does", () => {
  const scopes = CONFIRMATIONS as Record<string, { scope: string } | null>
  for (const [verb, [right]] of Object.entries(VERBS))
    if (!READING.test(nameOf(verb)))
      expect([verb, scopes[nameOf(verb)]?.scope === "operator"]).toEqual([verb, right?.startsWith("service.") ?? false])
})
