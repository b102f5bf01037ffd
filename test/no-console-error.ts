import { beforeEach, vi } from "vitest"

// What a program complains of while its test passes is a failure that nobody looked at. A test that expects a complaint
// gives console.error an implementation of its own.
beforeEach(() => {
  const complaints: string[] = []
  const spy = vi
    .spyOn(console, "error")
    .mockImplementation((...told) => void complaints.push(told.map(String).join(" ")))
  return () => {
    spy.mockRestore()
    if (complaints.length > 0) throw new Error(`console.error was called: ${complaints.join("; ")}`)
  }
})
