import { readFileSync } from "node:fs"
import { readdir } from "node:fs/promises"
import path from "node:path"
import { afterEach, expect, test } from "vitest"
import { isPastAddress, rememberAddress } from "@/lib/server/accounts/past-addresses"
import type { UserActor } from "@/lib/server/platform/actor"
import { inTransaction } from "@/lib/server/platform/db/transaction"
import { runtime } from "@/lib/server/platform/runtime"
import { confirm, mailTo, newLink, post, sessionOf, testSignIn, whoIs } from "@/test/sign-in"
import { requestConfirmation } from "./confirmation"
import { hasOutboxCookie, outboxCookie, outboxPath } from "./outbox-access"
import { keyedHash } from "./sign-in-events"

const { app } = await testSignIn()
const first = app.env
const NEXT = "another-secret-of-32-characters-xx"

/** Replaces the secret. During the overlap, the service accepts the previous one too. */
const rotate = (overlap: boolean) => {
  runtime().env = {
    ...first,
    AUTH_SECRET: NEXT,
    AUTH_SECRET_PREVIOUS: overlap ? first.AUTH_SECRET : undefined,
  }
}
afterEach(() => {
  runtime().env = first
})

const isInvalid = (response: Response) => response.headers.get("location") === "/sign-in?problem=link"

test("a sign-in link from before a rotation opens a session once during the overlap, and not after it", async () => {
  const link = await newLink("ada@example.com")
  rotate(false)
  expect(isInvalid(await confirm(link))).toBe(true)
  rotate(true)
  const session = sessionOf(await confirm(link))
  expect(await whoIs(session)).toMatchObject({ email: "ada@example.com" })
  expect(isInvalid(await confirm(link))).toBe(true)
  const fresh = await newLink("ada-2@example.com")
  expect(sessionOf(await confirm(fresh))).toBeTruthy()
  runtime().env = first
  expect(await whoIs(session)).toMatchObject({ email: "ada@example.com" })
})

test("a mailed confirmation from before a rotation works during the overlap", async () => {
  const token = sessionOf(await confirm(await newLink("bob@example.com")))
  await app.pool.query("DELETE FROM sign_in_token WHERE email = 'bob@example.com'")
  await requestConfirmation(runtime(), (await whoIs(token)) as UserActor, { verb: "createKey", returnTo: "/keys" })
  const fragment = new URLSearchParams(new URL((await mailTo("bob@example.com"))?.link ?? "").hash.slice(1))
  const link = { token: fragment.get("c") ?? "", email: fragment.get("e") ?? "", next: fragment.get("n") ?? "" }
  const problem = async () => (await post("callback/confirmation", link, {})).headers.get("location")
  rotate(false)
  expect(await problem()).toContain("problem=link")
  rotate(true)
  expect(await problem()).toContain("problem=confirmed")
})

test("an address that had a user before a rotation is known during the overlap, and not after it", async () => {
  const { pool } = runtime()
  const isPast = () => inTransaction(pool, (client) => isPastAddress(runtime(), client, "gone@example.com"))
  await inTransaction(pool, (client) => rememberAddress(runtime(), client, "gone@example.com"))
  rotate(false)
  expect(await isPast()).toBe(false)
  rotate(true)
  expect(await isPast()).toBe(true)
})

test("a rotation ends no session, and hashes of the log cannot be linked across it", async () => {
  const session = sessionOf(await confirm(await newLink("grace@example.com")))
  const before = keyedHash(runtime(), "email", "grace@example.com")
  rotate(false)
  expect(await whoIs(session)).toMatchObject({ email: "grace@example.com" })
  expect(keyedHash(runtime(), "email", "grace@example.com")).not.toBe(before)
})

/** What derives from the secret, by the row of the table in the docs. */
const USES: Record<string, string[]> = {
  "Sign-in links and mailed confirmations": [
    "change-email.ts",
    "confirm-link.ts",
    "confirmation.ts",
    "link-person.ts",
    "next-auth.ts",
  ],
  "The address and cookie of the outbox": ["outbox-access.ts"],
  "Pages that are open in a browser": ["console.ts"],
  "Hashes of addresses in the log": ["sign-in-events.ts"],
  "The bodies of requests with an `Idempotency-Key`": ["idempotency.ts"],
  "Secrets of webhooks and Slack addresses, encrypted": ["secret.ts"],
  "The key that signs sign-off records, encrypted": ["signing-keys.ts"],
  "Hashes of addresses that had a user": ["past-addresses.ts"],
  "Signature of ledger checkpoints": ["checkpoint.ts"],
  "Which texts vLLM has in its prefix cache": ["create-runtime.ts"],
  "Whether servers have the same secret": ["server-processes.ts"],
}

test("the docs say for every use of the secret what a rotation ends", async () => {
  const files = await readdir("lib/server", { recursive: true })
  const sources = files.filter(
    (file) => file.endsWith(".ts") && !/\.test\.ts$|^(backup|operator)\/|platform\/[^/]*$/.test(file),
  )
  const isUse = (file: string) =>
    /\b(AUTH_SECRET(_PREVIOUS)?|acceptedSecrets|ensureAuthSecret)\b/.test(readFileSync(`lib/server/${file}`, "utf8"))
  const users = sources.filter(isUse).map((file) => path.basename(file))
  // Text that names the setting.
  expect(users.filter((name) => name !== "list-concerns.ts").sort()).toEqual(Object.values(USES).flat().sort())
  const docs = readFileSync("docs/operating/upgrades-and-backups.md", "utf8")
  expect(Object.keys(USES).filter((row) => !docs.includes(`\n| ${row}`))).toEqual([])
})

test("the cookie of the outbox outlives a rotation during the overlap", () => {
  const cookie = outboxCookie(outboxPath(first), first)?.split(";")[0]
  rotate(false)
  expect(hasOutboxCookie({ cookie }, runtime().env)).toBe(false)
  rotate(true)
  expect(hasOutboxCookie({ cookie }, runtime().env)).toBe(true)
})
