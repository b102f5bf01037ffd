import { DatabaseError } from "pg"
import { afterEach, expect, test } from "vitest"
import { runtime } from "@/lib/server/platform/runtime"
import { testRuntime } from "@/test/database"
import { insertModel } from "@/test/insert-rows"
import { loadFirstCatalogue } from "./load-catalogue"

await testRuntime()
const app = runtime()
const { pool } = app
afterEach(() => {
  app.pool = pool
})

/** Makes the next queries fail with these errors. Returns how many queries were made. */
function failFirst(errors: Error[]): () => number {
  let queries = 0
  const query = (...args: Parameters<typeof pool.query>) => {
    const error = errors[queries++]
    return error ? Promise.reject(error) : pool.query(...args)
  }
  app.pool = new Proxy(pool, { get: (target, name) => (name === "query" ? query : Reflect.get(target, name)) })
  return () => queries
}

test("a process that starts loads the catalogue although its first connections take too long", async () => {
  const id = await insertModel("first-catalogue-1")
  const timedOut = new Error("Connection terminated due to connection timeout")
  const queries = failFirst([timedOut, timedOut])
  await loadFirstCatalogue(runtime())
  expect(app.catalogue.pinned().map((model) => model.id)).toContain(id)
  expect(queries()).toBe(3)
})

test("a process that starts fails at once when PostgreSQL refuses to read the catalogue", async () => {
  const queries = failFirst([new DatabaseError("permission denied for table model", 0, "error")])
  await expect(loadFirstCatalogue(runtime())).rejects.toThrow("permission denied for table model")
  expect(queries()).toBe(1)
})

test("a process that starts shows a programming error at once", async () => {
  const queries = failFirst([new TypeError("rows is not iterable")])
  await expect(loadFirstCatalogue(runtime())).rejects.toThrow("rows is not iterable")
  expect(queries()).toBe(1)
})
