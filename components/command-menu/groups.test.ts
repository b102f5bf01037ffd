import { expect, test } from "vitest"
import type { Commands } from "./commands"
import { listGroups } from "./groups"
import type { Sources } from "./use-sources"

const commands: Commands = {
  pages: [
    { id: "keys", label: "API keys", href: "/keys" },
    { id: "status", label: "Status of the service", keywords: "incidents", href: "/status" },
  ],
  actions: [{ id: "create", label: "Create an API key", href: "/keys?create" }],
}
const key = { id: "key_1", name: "CI", masked: "svcd_AbCd…wXyZ", status: "active" } as const
const request = { id: "req_1", at: "2026-11-22T10:00:00Z", keyName: "CI", status: 200, code: null }
const sources = {
  account: { keys: [key], requests: [request] },
  docs: null,
  failed: [],
  byId: null,
} as unknown as Sources
const labels = (query: string) =>
  listGroups(commands, sources, query, "all", new Date("2026-11-22T10:01:00Z")).map(({ label }) => label)

test("the group whose label matches best comes first", () => {
  expect(labels("")).toEqual(["Pages", "Actions", "Recent requests", "API keys"])
  expect(labels("ci")).toEqual(["API keys", "Pages", "Requests"])
  expect(labels("key")).toEqual(["Pages", "Actions"])
  expect(labels("req_1")).toEqual(["Requests"])
})
