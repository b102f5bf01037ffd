import { vi } from "vitest"

/**
 * Does work whose nth write to IndexedDB ends its transaction, as in a browser without room. Returns the number of writes, and
 * what the work threw or null.
 */
export async function withAbortedWrite(nth: number, work: () => Promise<unknown>) {
  let writes = 0
  const spies = (["add", "put"] as const).map((name) => {
    const write = IDBObjectStore.prototype[name]
    return vi.spyOn(IDBObjectStore.prototype, name).mockImplementation(function (this: IDBObjectStore, ...record) {
      const request = write.apply(this, record)
      writes += 1
      if (writes === nth) request.addEventListener("success", () => request.transaction?.abort())
      return request
    })
  })
  try {
    const error = await work().then(
      () => null,
      (thrown: unknown) => thrown,
    )
    return { writes, error }
  } finally {
    for (const spy of spies) spy.mockRestore()
  }
}
