import { beforeEach, vi } from "vitest"

// Fails every test during which console.error is called. A test that expects such a call gives console.error an
// implementation of its own.
beforeEach(() => {
  const complaints: string[] = []
  const spy = vi
    .spyOn(console, "error")
    .mockImplementation((...parts) => void complaints.push(parts.map(String).join(" ")))
  return () => {
    spy.mockRestore()
    if (complaints.length > 0) throw new Error(`console.error was called: ${complaints.join("; ")}`)
  }
})
