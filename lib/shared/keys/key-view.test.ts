import { expect, test } from "vitest"
import { mapKeyTexts } from "@/lib/shared/keys/key-texts"
import { keyViewHref, sortHref } from "@/lib/shared/keys/key-view-href"
import type { KeySummary } from "@/lib/shared/keys/schema"
import { KeyView, keyNotice, viewKeys } from "./key-view"
import { NO_RESTRICTIONS } from "./restrictions"

const key = (name: string, more: Partial<KeySummary> = {}): KeySummary => ({
  id: `key_${name.toLowerCase()}`,
  name,
  ...mapKeyTexts(() => null),
  kind: "secret",
  masked: `svcd_AbCd…${name.slice(0, 4)}`,
  limitUsd: null,
  period: null,
  spentUsd: "0.000000000000",
  resetsAt: null,
  oldSecret: null,
  ...NO_RESTRICTIONS,
  tags: [],
  createdAt: "2026-11-01T00:00:00.000Z",
  lastUsedAt: null,
  expiresAt: null,
  revokedAt: null,
  status: "active",
  createdBy: null,
  ...more,
})

const KEYS = [
  key("Key 10", {
    createdAt: "2026-11-05T00:00:00.000Z",
    limitUsd: "10",
    spentUsd: "9.5",
    lastUsedAt: "2026-11-20T00:00:00.000Z",
  }),
  key("key 9", { createdAt: "2026-11-04T00:00:00.000Z", limitUsd: "1", spentUsd: "1", status: "limit_reached" }),
  key("Staging", { createdAt: "2026-11-03T00:00:00.000Z", expiresAt: "2026-11-24T00:00:00.000Z" }),
  key("Old", { createdAt: "2026-11-02T00:00:00.000Z", status: "revoked", lastUsedAt: "2026-11-10T00:00:00.000Z" }),
  key("Playground", { kind: "playground", masked: null }),
]

const shown = (asked: Record<string, unknown>) => viewKeys(KEYS, KeyView.parse(asked)).rows.map(({ name }) => name)

test("the default view has the usable keys, newest first", () => {
  expect(shown({})).toEqual(["Key 10", "key 9", "Staging", "Playground"])
  expect(viewKeys(KEYS, KeyView.parse({})).counts).toEqual({ active: 4, ended: 1, all: 5 })
})

test("a filter that would hide every secret key shows all keys", () => {
  const onlyOld = KEYS.filter(({ name }) => name === "Old" || name === "Playground")
  const { rows, view } = viewKeys(onlyOld, KeyView.parse({ show: "active" }))
  expect([rows.length, view.show]).toEqual([2, "all"])
})

test("a key is found by a part of its name, shortened key or id, in any case", () => {
  expect(shown({ q: " STAG " })).toEqual(["Staging"])
  expect(shown({ q: "abcd…key" })).toEqual(["Key 10", "key 9"])
  expect(shown({ q: "key_old", show: "all" })).toEqual(["Old"])
  expect(shown({ q: "nothing" })).toEqual([])
})

test("columns sort in both directions, numbers within names as numbers, missing values last", () => {
  expect(shown({ sort: "name", dir: "asc" })).toEqual(["key 9", "Key 10", "Playground", "Staging"])
  expect(shown({ sort: "used", dir: "desc" })).toEqual(["key 9", "Key 10", "Staging", "Playground"])
  expect(shown({ sort: "used", dir: "asc" })).toEqual(["Key 10", "key 9", "Staging", "Playground"])
  expect(shown({ sort: "last-used", dir: "asc", show: "all" })).toEqual([
    "Old",
    "Key 10",
    "key 9",
    "Staging",
    "Playground",
  ])
  expect(shown({ sort: "expires", dir: "desc" })[0]).toBe("Staging")
  expect(shown({ sort: "status", dir: "desc", show: "all" })[0]).toBe("Old")
})

test("an address omits default values, and a second click on a heading reverses the order", () => {
  const view = KeyView.parse({ show: "everything", sort: "x", dir: 3, q: 7 })
  expect(view).toEqual({ show: "active", q: "", by: "", sort: "created", dir: "desc" })
  expect(keyViewHref(view)).toBe("/keys")
  expect(keyViewHref(view, { q: "a b", show: "all" })).toBe("/keys?show=all&q=a+b")
  expect(sortHref(view, "name")).toBe("/keys?sort=name&dir=asc")
  expect(sortHref({ ...view, sort: "name", dir: "asc" }, "name")).toBe("/keys?sort=name&dir=desc")
  expect(sortHref(view, "created")).toBe("/keys?sort=created&dir=asc")
})

test("an active key warns at 80% of its limit and in its last week", () => {
  const now = new Date("2026-11-21T00:00:00Z")
  expect(KEYS.map((entry) => keyNotice(entry, now))).toEqual(["near_limit", null, "expires_soon", null, null])
  expect(keyNotice(key("a", { limitUsd: "1", spentUsd: "0.7999" }), now)).toBeNull()
  expect(keyNotice(key("a", { limitUsd: "1", spentUsd: "0.8" }), now)).toBe("near_limit")
  expect(keyNotice(key("a", { expiresAt: "2026-11-28T00:00:01Z" }), now)).toBeNull()
})

test("keys are filtered by who created them, also by one who left, and the counts follow", () => {
  const ada = { id: `usr_${"a".repeat(26)}`, email: "zoe@example.com", isMember: true }
  const left = { id: `usr_${"b".repeat(26)}`, email: "bob@example.com", isMember: false }
  const keys = [
    key("One", { createdBy: ada }),
    key("Two", { createdBy: left }),
    key("Three", { createdBy: left, status: "revoked" }),
    key("Four"),
  ]
  const { rows, counts, creators, view } = viewKeys(keys, KeyView.parse({ by: left.id }))
  expect(rows.map(({ name }) => name)).toEqual(["Two"])
  expect(counts).toEqual({ active: 1, ended: 1, all: 2 })
  expect(creators).toEqual([ada, left])
  expect(keyViewHref(view, { show: "all" })).toBe(`/keys?show=all&by=${left.id}`)
})

test("a creator that is unknown in the account filters nothing", () => {
  const unknown = `usr_${"c".repeat(26)}`
  expect(viewKeys([key("One")], KeyView.parse({ by: unknown })).rows).toHaveLength(1)
  expect(KeyView.parse({ by: "' OR 1=1" }).by).toBe("")
})
