import { expect, test } from "vitest"
import { listPages } from "@/test/list-routes"
import { namedPagesOf, PAGE_LIST } from "./pages"

const labelsOf = (role: "owner" | "billing", isOperator = false) =>
  namedPagesOf({ role, isOperator }).map(({ label }) => label)

test("every page has a row in the table, and every row a page", () => {
  expect(PAGE_LIST.map(({ path }) => path).toSorted()).toEqual(listPages())
})

test("a page with an id names its prefix", () => {
  const isOfOne = (path: string) => path.includes("[id]")
  expect(PAGE_LIST.filter(({ path, id }) => isOfOne(path) !== (id !== undefined))).toEqual([])
})

test("menus show a member only pages that the role may open", () => {
  const hidden = ["Playground", "Evaluate", "Audit log", "First steps"]
  expect(labelsOf("owner")).toEqual(expect.arrayContaining([...hidden, "Monthly statement", "API keys"]))
  expect(labelsOf("billing")).toEqual(expect.arrayContaining(["Monthly statement", "API keys"]))
  expect(labelsOf("billing").filter((label) => hidden.includes(label))).toEqual([])
})

test("menus show only the operator the way to the operator's area", () => {
  expect(labelsOf("owner")).not.toContain("Operator")
  expect(labelsOf("billing", true)).toContain("Operator")
})
