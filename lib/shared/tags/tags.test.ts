import { expect, test } from "vitest"
import { joinedTags, parseTags } from "./tags"
import { TagsField } from "./tags-field"

const VALUE = "v".repeat(64)

test("a header has up to five tags, in any order, with spaces around the commas", () => {
  expect(parseTags("team=search")).toEqual(["team=search"])
  expect(parseTags(" team=search ,\tenv=prod")).toEqual(["env=prod", "team=search"])
  expect(parseTags(`${VALUE}=${VALUE}`)).toEqual([`${VALUE}=${VALUE}`])
  expect(parseTags("a=1,b=1,c=1,d=1,e=1")).toHaveLength(5)
})

test.each([
  "",
  "team",
  "team=",
  "=search",
  "team=a=b",
  "team=a,team=b",
  "team=a,",
  "a=1,b=1,c=1,d=1,e=1,f=1",
  `team=v${VALUE}`,
  "team=two words",
  "team=müll",
  "mail=ada@example.com",
  "team=a\u0000",
])("%j is refused", (text) => {
  expect(parseTags(text)).toBeNull()
})

test("a request's tag replaces that of its key with the same name, and adds to the others", () => {
  expect(joinedTags(["env=prod", "team=search"], [])).toEqual(["env=prod", "team=search"])
  expect(joinedTags([], ["team=search"])).toEqual(["team=search"])
  expect(joinedTags(["env=prod", "team=search"], ["job=nightly", "team=ads"])).toEqual([
    "env=prod",
    "job=nightly",
    "team=ads",
  ])
})

test("a form separates tags by spaces, commas or lines, and an empty field has none", () => {
  expect(TagsField.parse(" team=search,\nenv=prod ")).toEqual(["env=prod", "team=search"])
  expect(TagsField.parse(" ")).toEqual([])
  expect(TagsField.safeParse(["team=a", "team=b"]).error?.issues).toMatchObject([{ path: [] }])
  expect(TagsField.safeParse("a=1 b=1 c=1 d=1 e=1 f=1").success).toBe(false)
})
