import { once } from "node:events"
import * as fs from "node:fs/promises"
import { createServer, type Server } from "node:net"
import * as path from "node:path"
import PostalMime from "postal-mime"
import { expect, onTestFinished, test, vi } from "vitest"
import { readEnv } from "@/lib/server/platform/env"
import { createLog } from "@/lib/server/platform/log"
import { listen } from "@/test/listen"
import { tempFolder } from "@/test/temp-folder"
import { linkMessage } from "./link-mails"
import { createMailer } from "./mailer"
import { firstLink } from "./outbox"

const MAIL = {
  to: "ada+long.tag=1@example.com",
  token: "0123456789abcdef".repeat(4),
  expiresAt: new Date("2026-11-20T15:14:59Z"),
  returnTo: "/keys",
  clientAddress: null,
}
const AT = "http://localhost:3000"
const LINK =
  "http://localhost:3000/sign-in/confirm#t=0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef&e=ada%2Blong.tag%3D1%40example.com&n=%2Fkeys"

const log = createLog("silent")
const metrics = { mail: vi.fn() }
const dataDir = tempFolder()

/** A mail server without STARTTLS that takes one message per connection and gives its source to `got`. */
async function mailServer(got: (source: string) => void): Promise<{ server: Server; url: string }> {
  const server = createServer((socket) => {
    let data: string | null = null
    socket.write("220 test\r\n")
    socket.on("data", (chunk) => {
      const text = chunk.toString()
      if (data !== null) {
        data += text
        if (!data.endsWith("\r\n.\r\n")) return
        got(data)
        data = null
        return socket.write("250 taken\r\n")
      }
      if (text.startsWith("DATA")) {
        data = ""
        return socket.write("354 go on\r\n")
      }
      if (text.startsWith("STARTTLS")) return socket.write("502 unknown\r\n")
      socket.write(text.startsWith("QUIT") ? "221 bye\r\n" : "250 ok\r\n")
    })
  })
  const url = (await listen(server)).replace("http", "smtp")
  return { server, url }
}

test("a message in the outbox can be parsed, with its whole link in text and HTML", async () => {
  const mailer = createMailer(readEnv({ DATA_DIR: dataDir }), log, metrics)
  await mailer.send(linkMessage("sign_in", MAIL, AT))
  const [name = "", ...others] = await fs.readdir(path.join(dataDir, "outbox"))
  expect(others).toEqual([])
  expect(name).toMatch(/^\d{8}T\d{9}Z-[0-9a-f]{8}\.eml$/)
  const file = path.join(dataDir, "outbox", name)
  expect((await fs.stat(file)).mode & 0o777).toBe(0o600)
  const mail = await PostalMime.parse(await fs.readFile(file))
  expect(mail.to?.[0]?.address).toBe("ada+long.tag=1@example.com")
  expect(mail.subject).toBe("Sign in to localhost:3000")
  expect(firstLink(mail.text ?? "")).toBe(LINK)
  expect(/href="([^"]+)"/.exec(mail.html ?? "")?.[1]?.replaceAll("&amp;", "&")).toBe(LINK)
})

test("the message has the address, the expiry and what to do when it was not requested", () => {
  const { text, html } = linkMessage("sign_in", MAIL, "https://decide.example.com")
  for (const body of [text, html]) {
    expect(body).toContain("Sign in to the decision service at decide.example.com as ada+long.tag=1@example.com:")
    expect(body).toContain("The link works once, until 15:14 UTC (10 minutes), in any browser.")
    expect(body).toContain("If you did not request this, ignore this message.")
  }
})

test("the message has the address of the request when it is known", () => {
  const known = linkMessage("sign_in", { ...MAIL, clientAddress: "203.0.113.9" }, "https://decide.example.com")
  for (const body of [known.text, known.html])
    expect(body).toContain("in any browser. It was requested from the address 203.0.113.9.")
  for (const clientAddress of [null, "127.0.0.1"])
    expect(linkMessage("sign_in", { ...MAIL, clientAddress }, "https://decide.example.com").text).not.toContain(
      "requested from",
    )
})

test("the HTML loads nothing, runs nothing and shows its link as text", () => {
  const { html } = linkMessage("sign_in", { ...MAIL, to: "a&b'c@example.com" }, "https://decide.example.com")
  expect(html).not.toMatch(/<(?:img|script|link|iframe|form)\b|url\(|@import|javascript:/i)
  expect(html.match(/https?:\/\/[^"<\s]+/g)?.map((link) => new URL(link).host)).toEqual([
    "decide.example.com",
    "decide.example.com",
  ])
  expect(html).toContain("as a&amp;b'c@example.com:")
})

test("EMAIL_SERVER gets the message and the outbox stays empty", async () => {
  let source = ""
  const { server, url } = await mailServer((text) => {
    source = text
  })
  const elsewhere = path.join(dataDir, "smtp")
  const env = readEnv({ DATA_DIR: elsewhere, EMAIL_SERVER: url, EMAIL_FROM: "Decisions <no-reply@decide.example.com>" })
  await createMailer(env, log, metrics).send(linkMessage("sign_in", MAIL, AT))
  server.close()
  const mail = await PostalMime.parse(source)
  expect(mail.from?.address).toBe("no-reply@decide.example.com")
  expect(firstLink(mail.text ?? "")).toBe(LINK)
  await expect(fs.stat(elsewhere)).rejects.toThrow("ENOENT")
  expect(metrics.mail).toHaveBeenLastCalledWith("sent")
})

test("a server of another machine without STARTTLS gets no message, unless its address says so", async () => {
  const sources: string[] = []
  const { server, url } = await mailServer((text) => sources.push(text))
  onTestFinished(() => void server.close())
  const sendVia = (address: string) => {
    const env = readEnv({ DATA_DIR: dataDir, EMAIL_SERVER: address, EMAIL_FROM: "no-reply@decide.example.com" })
    return createMailer(env, log, metrics).send(linkMessage("sign_in", MAIL, AT))
  }
  // This machine, by an address that does not look like it.
  const other = url.replace("127.0.0.1", "[::ffff:127.0.0.1]")
  await expect(sendVia(other)).rejects.toMatchObject({ code: "ETLS" })
  expect(sources).toEqual([])
  await sendVia(`${other}/?requireTLS=false`)
  expect(sources).toHaveLength(1)
})

test("a mail server that accepts a connection and says nothing is an error after ten seconds", async () => {
  const silent = createServer()
  const url = (await listen(silent)).replace("http", "smtp")
  const env = readEnv({ DATA_DIR: dataDir, EMAIL_SERVER: url, EMAIL_FROM: "no-reply@decide.example.com" })
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] })
  onTestFinished(() => void vi.useRealTimers())
  const accepted = once(silent, "connection")
  const failed = expect(createMailer(env, log, metrics).send(linkMessage("sign_in", MAIL, AT))).rejects.toThrow(
    "Greeting never received",
  )
  const [socket] = await accepted
  // The client also learns that it is connected.
  for (let i = 0; i < 20; i++) await new Promise(setImmediate)
  await vi.advanceTimersByTimeAsync(10_000)
  socket.destroy()
  silent.close()
  await failed
})

test("an unreachable mail server is an error", async () => {
  const { server, url } = await mailServer(() => {})
  await new Promise((resolve) => server.close(resolve))
  const env = readEnv({ DATA_DIR: dataDir, EMAIL_SERVER: url, EMAIL_FROM: "no-reply@decide.example.com" })
  await expect(createMailer(env, log, metrics).send(linkMessage("sign_in", MAIL, AT))).rejects.toThrow("ECONNREFUSED")
  expect(metrics.mail).toHaveBeenLastCalledWith("failed")
})

test("a check says whether the mail server works, and logs once when it stops working", async () => {
  const { server, url } = await mailServer(() => {})
  const warn = vi.fn()
  const env = readEnv({ DATA_DIR: dataDir, EMAIL_SERVER: url, EMAIL_FROM: "no-reply@decide.example.com" })
  const mailer = createMailer(env, { ...log, warn }, metrics)
  expect(await mailer.check()).toBe(true)
  await new Promise((resolve) => server.close(resolve))
  expect([await mailer.check(), await mailer.check()]).toEqual([false, false])
  expect(warn).toHaveBeenCalledOnce()
  expect(await createMailer(readEnv({ DATA_DIR: dataDir }), log, metrics).check()).toBeNull()
})

test("mails write dates and times as the console does", () => {
  const { token, expiresAt } = MAIL
  const [to, account] = ["bob@example.com", "Acme"]
  const texts = [
    linkMessage(
      "invitation",
      { id: "inv_1", to, role: "developer", account, invitedBy: MAIL.to, isTransfer: false, expiresAt },
      AT,
    ),
    linkMessage("email_change", { to, oldEmail: to, newEmail: MAIL.to, token, expiresAt }, AT),
    linkMessage("sign_in", MAIL, AT),
  ].map(({ text }) => text)
  expect(texts[0]).toContain(
    "invited you to the account “Acme” as a developer. Developers can manage keys and webhooks",
  )
  expect(texts[0]).toContain("The invitation is valid until 20 Nov 2026 (7 days), on any device")
  expect(texts[1]).toContain("The link works until 15:14 UTC (1 hour)")
  expect(texts[2]).toContain("The link works once, until 15:14 UTC (10 minutes)")
})
