import { expect, test, vi } from "vitest"
import { runtime } from "@/lib/server/platform/runtime"
import { testRuntime } from "@/test/database"
import { insertSessionOf } from "@/test/insert-rows"
import { nextRequest } from "@/test/next-request"
import { signUp } from "@/test/sign-up"
import { actorOfCookies } from "./actor-of-cookies"
import { findSession } from "./session"

vi.mock("next/headers", async (original) => (await import("@/test/next-request")).mockHeaders(original))

await testRuntime()

test("of two session cookies, pages and the playground use the same one", async () => {
  const users = [await signUp("first@example.com"), await signUp("second@example.com")]
  nextRequest.headers.set("cookie", (await Promise.all(users.map(({ userId }) => insertSessionOf(userId)))).join("; "))
  expect((await findSession())?.email).toBe("first@example.com")
  expect((await actorOfCookies(runtime(), nextRequest.headers.get("cookie") ?? "", null))?.email).toBe(
    "first@example.com",
  )
})
