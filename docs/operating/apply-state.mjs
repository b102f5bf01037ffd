// Brings a service to the state of a YAML file through the admin API, and prints each change:
//   CONSOLE_URL=… SVC_ADMIN_TOKEN=… node apply-state.mjs state.yaml [--dry-run]
// What the file does not name stays as it is. A second run changes nothing.
import { readFileSync } from "node:fs"
import { argv, env, stdout } from "node:process"
import { parse } from "yaml"

const [file, option] = argv.slice(2)
let changes = 0

async function send(method, path, body, etag) {
  const headers = { authorization: `Bearer ${env.SVC_ADMIN_TOKEN}`, "content-type": "application/json" }
  if (etag) headers["if-match"] = etag
  const request = { method, headers, body: body && JSON.stringify(body) }
  const response = await fetch(`${env.CONSOLE_URL}/api/admin/v1${path}`, request)
  const result = await response.json()
  if (!response.ok) throw new Error(`${method} ${path}: ${result.error.message}`)
  return { ...result, etag: response.headers.get("etag") }
}

/** Prints a change and makes it. Returns null in a dry run. */
async function change(text, ...request) {
  changes++
  stdout.write(`${text}\n`)
  return option === "--dry-run" ? null : send(...request)
}

async function applyAccount({ email, requests_per_second, keys = [], credits = [] }) {
  const { data } = await send("GET", `/accounts?search=${encodeURIComponent(email)}`)
  const found = data.find((one) => one.email === email.toLowerCase())
  const account = found ?? (await change(`create account ${email}`, "POST", "/accounts", { email }))
  if (account === null) return
  const path = `/accounts/${account.id}`
  const { etag, requests_per_second: rate } = await send("GET", path)
  if (requests_per_second && requests_per_second !== rate)
    await change(
      `${email}: ${rate} to ${requests_per_second} req/s`,
      "PUT",
      `${path}/limits`,
      { requests_per_second },
      etag,
    )
  const active = (await send("GET", `${path}/keys`)).data.filter(({ status }) => status !== "revoked")
  for (const key of keys.filter(({ name }) => !active.some((one) => one.name === name)))
    stdout.write(`${(await change(`${email}: key ${key.name}`, "POST", `${path}/keys`, key))?.key ?? ""}\n`)
  for (const credit of credits.map((one) => ({ kind: "credit", ...one })))
    if ((await send("POST", `${path}/credits?dry_run=1`, credit)).booked)
      await change(`${email}: ${credit.amount_usd} USD, ${credit.reference}`, "POST", `${path}/credits`, credit)
}

const { accounts = [], models = {}, alias } = parse(readFileSync(file, "utf8"))
for (const account of accounts) await applyAccount(account)
for (const [id, wanted] of Object.entries(models)) {
  const { etag, price_per_million_input_tokens_usd: price } = await send("GET", `/models/${id}`)
  if (Number(wanted.price_per_million_input_tokens_usd) !== Number(price ?? Number.NaN))
    await change(`${id}: price, from ${price}`, "PUT", `/models/${id}/price`, wanted, etag)
}
const { etag, model } = alias ? await send("GET", "/alias") : {}
if (model !== alias) await change(`alias: from ${model} to ${alias}`, "PUT", "/alias", { model: alias }, etag)
stdout.write(`${changes} changes\n`)
