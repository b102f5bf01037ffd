import { expect, test, vi } from "vitest"
import { createAccount } from "@/lib/server/accounts/create-account"
import { VISITOR } from "@/lib/server/platform/actor"
import { newId } from "@/lib/server/platform/ids"
import { runtime } from "@/lib/server/platform/runtime"
import { testRuntime } from "@/test/database"
import { nextRequest } from "@/test/next-request"
import { findSession } from "./session"
import { hashSessionToken, newSessionToken } from "./session-cookie"
import { actorOfCookies } from "./session-store"

vi.mock("next/headers", async (original) => (await import("@/test/next-request")).mockHeaders(original))

await testRuntime()

async function newSession(email: string): Promise<string> {
  const { userId } = await createAccount(runtime(), VISITOR, { email })
  const token = newSessionToken()
  await runtime().pool.query(
    "INSERT INTO session (id, token_hash, user_id, expires_at) VALUES ($1, $2, $3, now() + interval '1 day')",
    [newId(), hashSessionToken(token), userId],
  )
  return token
}

test("of two session cookies, pages and the playground use the same one", async () => {
  const [first, second] = [await newSession("first@example.com"), await newSession("second@example.com")]
  nextRequest.headers.set("cookie", `svcd-session=${first}; svcd-session=${second}`)
  expect((await findSession())?.email).toBe("first@example.com")
  expect((await actorOfCookies(runtime(), nextRequest.headers.get("cookie") ?? "", null))?.email).toBe(
    "first@example.com",
  )
})
