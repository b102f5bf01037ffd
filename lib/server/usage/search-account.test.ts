import { beforeAll, expect, test } from "vitest"
import { publicId } from "@/lib/server/platform/ids"
import { runtime } from "@/lib/server/platform/runtime"
import { testRuntime } from "@/test/database"
import { chargeTenant, createTenant, refuseTenant } from "@/test/tenant"
import { searchAccount, searchRequests } from "./search-account"

beforeAll(() => testRuntime())

test("the command menu finds the account's keys and newest requests, and nothing of another account", async () => {
  const [one, other] = [await createTenant(["Production", "CI"]), await createTenant(["Theirs"])]
  await refuseTenant(other, other.keys[0], { at: new Date().toISOString() })
  const refused = await refuseTenant(one, one.keys[1], { at: new Date(Date.now() - 60_000).toISOString() })
  const charged = await chargeTenant(one, one.keys[0], { tokens: 12 })
  const { keys, requests } = await searchAccount(runtime(), one.actor)
  expect(keys.map(({ name }) => name).toSorted()).toEqual(["CI", "Production"])
  expect(requests.map(({ id, keyName, status, code }) => [id, keyName, status, code])).toEqual([
    [publicId("req", charged), "Production", 200, null],
    [publicId("req", refused), "CI", 429, "rate_limited"],
  ])
})

test("a request is found by its whole id, by its own account only", async () => {
  const [one, other] = [await createTenant(["Production"]), await createTenant(["Theirs"])]
  const id = publicId("req", await chargeTenant(one, one.keys[0], { tokens: 12 }))
  expect((await searchRequests(runtime(), one.actor, id)).map((found) => [found.id, found.status])).toEqual([[id, 200]])
  expect(await searchRequests(runtime(), other.actor, id)).toEqual([])
  for (const text of ["", "req_1", `${id}0`, "x".repeat(10_000)])
    expect(await searchRequests(runtime(), one.actor, text)).toEqual([])
})
