import { expect, test } from "vitest"
import type { Acceptance } from "@/lib/shared/export-code/export-test"
import { addressOfAcceptance } from "./outcomes-address"

const ACCEPTED: Acceptance = {
  question: "late & lost",
  band: { low: 0.12, high: 0.91 },
  ...{ minAccuracy: null, minAutomatic: 0.5, maxMeanError: null },
  ...{ maxWrongOfAutomatic: null, maxWrongOfYes: 0.02, maxWrongOfNo: 0.1 },
}
const fieldsOf = (acceptance: Acceptance, type = "noul") => {
  const address = addressOfAcceptance(acceptance, { type, model: "m-1" })
  return address && Object.fromEntries(new URL(address, "http://x").searchParams)
}

test("an accepted threshold leads to the outcomes of its question and model, with the proved target of each side", () => {
  const asked = { question: "late & lost", type: "noul", model: "m-1" }
  expect(fieldsOf(ACCEPTED)).toEqual({ ...asked, yes: "0.91", no: "0.12", wrong: "2", wrong_no: "10" })
  const pooled = { ...ACCEPTED, maxWrongOfAutomatic: 0.03, maxWrongOfYes: null, maxWrongOfNo: null }
  expect(fieldsOf(pooled)).toEqual({ ...asked, yes: "0.91", no: "0.12", wrong: "3", wrong_no: "3" })
})

test("a choice has one side", () => {
  const choice = {
    ...ACCEPTED,
    band: { low: 0.2, high: 0.8 },
    maxWrongOfAutomatic: 0.05,
    maxWrongOfYes: null,
    maxWrongOfNo: null,
  }
  expect(fieldsOf(choice, "choice")).toEqual({ question: "late & lost", type: "choice", model: "m-1", yes: "0.8" })
})

test("a threshold for each option, and none, lead nowhere", () => {
  expect(fieldsOf({ ...ACCEPTED, options: [["delivery", 0.9]] }, "choice")).toBeNull()
  expect(fieldsOf({ ...ACCEPTED, band: null })).toBeNull()
})
