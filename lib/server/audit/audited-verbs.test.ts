import { expect, test } from "vitest"
import { openCatalogue } from "@/lib/server/models/seed-models"
import { runtime } from "@/lib/server/platform/runtime"
import { query } from "@/test/closing-fixture"
import { keepMails } from "@/test/keep-mails"
import { testTopups } from "@/test/topup-fixture"
import { READING, VERBS } from "@/test/verb-register"
import { writingCalls } from "@/test/writing-calls"

const { double } = await testTopups()
await openCatalogue(runtime())
keepMails()

/** Verbs that change only what the caller sees, or nothing until a link or a checkout is used. */
const SILENT = [
  "accounts/first-steps.ts markFirstSteps",
  "auth/confirmation.ts requestConfirmation",
  "auth/passkeys/add-passkey.ts startPasskey",
  "auth/passkeys/confirm-by-passkey.ts startPasskeyConfirmation",
  "auth/switch-account.ts switchAccount",
  "billing/save-card-session.ts startCardSession",
]

/** Every verb that writes. */
const AUDITED = writingCalls(double)

test("every verb is known to write, to read, or to change nothing that others see", () => {
  const isReading = (name: string) => READING.test(name.split(" ")[1] ?? "") && !name.endsWith(" streamExport")
  const writing = Object.keys(VERBS).filter((name) => !isReading(name) && !SILENT.includes(name))
  expect(AUDITED.map(([name]) => name).toSorted()).toEqual(writing.toSorted())
})

test.each(AUDITED)("%s leaves its entries in the audit log", async (name, [actions, call]) => {
  const [file, verb = ""] = name.split(" ")
  const module = await import(/* @vite-ignore */ `../${file}`)
  const given = await call()
  const { rows: before } = await query("SELECT max(id) AS id FROM audit_event")
  const result = await module[verb](runtime(), ...given)
  if (result instanceof ReadableStream) await result.cancel()
  await double.idle()
  const { rows } = await query("SELECT action FROM audit_event WHERE id > $1 ORDER BY action", [before[0].id])
  expect(rows.map(({ action }) => action)).toEqual(actions)
})
