import { expect, it } from "vitest"
import { createLog } from "./log"
import { logPrinted } from "./log-printed"

const CANARY = "canary-77aa"

it.each(["error", "warn"] as const)("of what a library prints by console.%s no text reaches the log", (how) => {
  const lines: string[] = []
  const printer = { error: () => {}, warn: () => {} }
  logPrinted(createLog("info", { write: (line) => void lines.push(line) }), printer)
  const print: (...printed: unknown[]) => void = printer[how]
  print(" ⨯", Object.assign(new TypeError(`Bad value: ${CANARY}`), { digest: "3152698577" }), { state: CANARY })
  print(CANARY)
  expect(lines.join("")).not.toContain(CANARY)
  expect(lines.map((line) => JSON.parse(line).cause?.name)).toEqual(["TypeError", undefined])
})

it("the reference that a failed page shows its user is in the log, and no digest that spells more", () => {
  const lines: string[] = []
  const printer = { error: () => {}, warn: () => {} }
  logPrinted(createLog("info", { write: (line) => void lines.push(line) }), printer)
  const print: (...printed: unknown[]) => void = printer.error
  print(Object.assign(new Error("x"), { digest: "3152698577" }))
  print(Object.assign(new Error("x"), { digest: `NEXT_REDIRECT;replace;/sign-in?next=${CANARY}` }))
  expect(lines.map((line) => JSON.parse(line).cause.reference)).toEqual(["3152698577", undefined])
})
