import { describe, expect, it } from "vitest"
import { orAbort } from "./or-abort"

const never = new Promise<string>(() => {})

describe("orAbort", () => {
  it("settles like the work while the signal does not abort", async () => {
    const { signal } = new AbortController()
    expect(await orAbort(Promise.resolve("done"), signal)).toBe("done")
    await expect(orAbort(Promise.reject(new Error("failed")), signal)).rejects.toThrow("failed")
  })

  it("rejects with the reason of the abort, also when the signal aborted before", async () => {
    const abort = new AbortController()
    const waiting = orAbort(never, abort.signal)
    abort.abort(new Error("too late"))
    await expect(waiting).rejects.toThrow("too late")
    await expect(orAbort(never, abort.signal)).rejects.toThrow("too late")
  })
})
