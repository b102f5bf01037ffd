import { expect, test } from "vitest"
import { insertAccount, insertSession } from "@/test/insert-rows"
import { listHandlers, listPages } from "@/test/list-routes"
import { startConsole } from "./start-console"

const server = await startConsole()
const cookie = await insertSession((await insertAccount()).accountId)

// Next does not compress a response without a body.
const headers = { cookie, "accept-encoding": "identity" }

/** Headers that differ between two responses, or that need the body. */
const OWN = ["connection", "content-length", "date", "keep-alive", "transfer-encoding"]
const IDS = ["server-timing", "x-request-id", "x-typesafe-request-id"]
const NONCE = /nonce(?:-|=\\")[^'\\]+/g

async function headOf(method: string, address: string) {
  const response = await fetch(`${server.url}${address}`, { method, redirect: "manual", headers })
  const body = await response.text()
  const shown = [...response.headers].filter(([name]) => ![...OWN, ...IDS].includes(name))
  return { status: response.status, headers: JSON.stringify(shown).replace(NONCE, "nonce"), body }
}

const readable = listHandlers().flatMap((route) => (route.startsWith("GET ") ? [route.slice(4)] : []))
const addresses = [...readable, ...listPages()].map((address) => address.replace(/\[[^\]]+\]/, "none"))

test.each(addresses)("HEAD %s has the head of its GET and no body", async (address) => {
  const [get, head] = [await headOf("GET", address), await headOf("HEAD", address)]
  expect(head).toEqual({ ...get, body: "" })
})
