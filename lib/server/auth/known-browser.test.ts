import { expect, test } from "vitest"
import { confirm, newLink, sessionOf, testSignIn } from "@/test/sign-in"

const { app } = await testSignIn()

const FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"
const known = (response: Response): string =>
  response.headers
    .getSetCookie()
    .find((text) => text.startsWith("svcd-known="))
    ?.split(";")[0] ?? ""

/** Signs in with a browser that sends this cookie. Returns the cookie that the browser has then. */
async function signIn(email: string, cookie?: string): Promise<string> {
  await app.pool.query("DELETE FROM sign_in_token")
  const response = await confirm(await newLink(email), {
    headers: { "user-agent": FIREFOX },
    ...(cookie ? { cookie } : {}),
  })
  expect(sessionOf(response)).toBeDefined()
  return known(response)
}

const mails = async (email: string) =>
  (
    await app.pool.query(
      "SELECT q.facts->>'browser' AS browser FROM queued_mail q JOIN app_user u ON u.id = q.user_id WHERE u.email = $1 AND q.kind = 'browser_new'",
      [email],
    )
  ).rows.map(({ browser }) => browser)

test("a sign-in from another browser is mailed, the first sign-in and a known browser are not", async () => {
  const email = "two-browsers@example.com"
  const first = await signIn(email)
  expect(first).toMatch(/^svcd-known=[A-Za-z0-9_-]{43}$/)
  expect(await signIn(email, first)).toBe(first)
  expect(await mails(email)).toEqual([])
  const second = await signIn(email)
  expect(second).not.toBe(first)
  expect(await mails(email)).toEqual(["Firefox on Linux"])
  await signIn(email, second)
  expect(await mails(email)).toHaveLength(1)
})

test("two users of one browser keep its cookie, and their rows cannot be linked", async () => {
  const cookie = await signIn("ada@shared.example.com")
  expect(await signIn("bob@shared.example.com", cookie)).toBe(cookie)
  expect(await signIn("ada@shared.example.com", cookie)).toBe(cookie)
  expect(await mails("ada@shared.example.com")).toEqual([])
  const { rows } = await app.pool.query(
    `SELECT count(DISTINCT token_sha256)::int AS hashes, bool_or(encode(token_sha256, 'base64') = $1) AS stored
     FROM known_browser b JOIN app_user u ON u.id = b.user_id WHERE u.email LIKE '%@shared.example.com'`,
    [cookie.slice("svcd-known=".length)],
  )
  expect(rows).toEqual([{ hashes: 2, stored: false }])
})
