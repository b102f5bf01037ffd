import { createHash } from "node:crypto"
import { setTimeout as sleep } from "node:timers/promises"
import { newId, parsePublicId, publicId } from "@/lib/server/platform/ids"
import { setPrice } from "./price"
import { ONE_QUESTION } from "./requests"
import type { Service } from "./service"

export interface Person {
  email: string
  cookie: string
  token: string
}

/** The owner of an account that holds one of everything. `ids` contains public ids and database ids. */
export interface Owner extends Person {
  ids: Record<string, string>
  privateTexts: string[]
}

// Numeric ids start at a number that no page contains for another reason.
const FIRST_NUMERIC_ID = 770_011_223_344n

/** Signs in by the mailed link, which writes an audit entry. Returns the `Cookie` header. */
export async function openSession(service: Service, email: string): Promise<string> {
  const send = (route: string, fields: Record<string, string>) =>
    fetch(`${service.url}/api/auth/${route}`, {
      method: "POST",
      redirect: "manual",
      headers: { origin: service.url },
      body: new URLSearchParams(fields),
    })
  await send("signin/email", { email })
  const link = new URLSearchParams(new URL(await service.mailedLink(email)).hash.slice(1))
  const confirmed = await send("callback/email", { token: link.get("t") ?? "", email })
  const cookie = confirmed.headers.getSetCookie().find((text) => text.startsWith("svcd-session="))
  return cookie?.split(";")[0] ?? ""
}

export async function newPerson(service: Service, email: string, keyName: string, usd: string): Promise<Person> {
  await service.operator("account", "create", email)
  await service.operator("account", "credit", email, usd, "--note", `${keyName} note`)
  const { key: token } = await service.operator<{ key: string }>("key", "create", email, "--name", keyName)
  return { email, token, cookie: await openSession(service, email) }
}

const COLLECT = `
SELECT a.id AS account, u.id AS user, s.id AS session, h.id AS request, e.id::text AS entry, v.id::text AS audit,
  (SELECT id FROM api_key WHERE account_id = a.id AND kind = 'secret') AS key,
  (SELECT id FROM api_key WHERE account_id = a.id AND kind = 'playground') AS playground,
  (SELECT masked FROM api_key WHERE account_id = a.id AND kind = 'secret') AS masked
FROM app_user u JOIN member m ON m.user_id = u.id JOIN account a ON a.id = m.account_id JOIN session s ON s.user_id = u.id
  JOIN hold h ON h.account_id = a.id JOIN ledger_entry e ON e.hold_id = h.id
  JOIN audit_event v ON v.account_id = a.id AND v.action = 'session.create'
WHERE u.email = $1`

export async function newOwner(service: Service): Promise<Owner> {
  for (const table of ["ledger_entry", "audit_event"])
    await service.sql(`SELECT setval(pg_get_serial_sequence('${table}', 'id'), ${FIRST_NUMERIC_ID})`)
  await setPrice(service, "1234.567")
  const person = await newPerson(service, "zqcanary@owner.example", "Zqcanary key", "4321.987654")
  await service.decide(person.token, ONE_QUESTION)
  const refused = await service.decide(person.token, { ...ONE_QUESTION, model: "none" })
  const [row] = await service.sql<Record<string, string>>(COLLECT, [person.email])
  if (!row) throw new Error("the account lacks one of the rows")
  const topup = newId()
  const checkout = "cs_test_zqcanarysession"
  await service.sql(
    `INSERT INTO topup (id, account_id, user_id, amount_cents, paid_cents, status, session_id, payment_intent_id, receipt_url)
     VALUES ($1, $2, $3, 765432, 765432, 'paid', $4, 'pi_zqcanarypayment', 'https://pay.example/zqcanaryreceipt')`,
    [topup, row.account, row.user, checkout],
  )
  const uuids = {
    account: row.account,
    key: row.key,
    playground: row.playground,
    session: row.session,
    request: row.request,
  }
  const shown = {
    account: publicId("acc", row.account ?? ""),
    key: publicId("key", row.key ?? ""),
    playground: publicId("key", row.playground ?? ""),
    user: publicId("usr", row.user ?? ""),
    session: publicId("ses", row.session ?? ""),
    request: publicId("req", row.request ?? ""),
    topup: publicId("top", topup),
    refusal: refused.headers.get("x-request-id") ?? "",
  }
  const refusal = parsePublicId("req", shown.refusal) ?? ""
  while ((await service.sql("SELECT 1 FROM request_event WHERE id = $1", [refusal])).length === 0) await sleep(100)
  const others = { user: row.user, entry: row.entry, audit: row.audit, topupUuid: topup, refusal, checkout }
  const ids = {
    ...Object.fromEntries(Object.entries(uuids).map(([name, id]) => [`${name} in the database`, id ?? ""])),
    ...Object.fromEntries(Object.entries(others).map(([name, id]) => [`${name} in the database`, id ?? ""])),
    ...shown,
    "payment in the database": "pi_zqcanarypayment",
    "place in the log": `${Date.now()}000_${row.request}`,
    email: person.email,
  }
  const secrets = [person.token, person.cookie.slice("svcd-session=".length), row.masked ?? "zqmissing"]
  const amounts = ["4321.987654", "4,321.98", "7,654.32"]
  return { ...person, ids, privateTexts: [...Object.values(ids), ...secrets, ...amounts, "Zqcanary", "zqcanary"] }
}

/** Returns a hash of the account's rows, without the times that its own use of the console changes. */
export async function markOf(service: Service, { email }: Person): Promise<string> {
  const mine = "account_id = (SELECT account_id FROM member m JOIN app_user u ON u.id = m.user_id WHERE u.email = $1)"
  const tables = ["api_key", "hold", "ledger_entry", "topup", "audit_event", "request_event", "member"]
  const parts = tables.map(
    (table) => `SELECT to_jsonb(t) - 'last_used_at' - 'checked_at' - 'version' AS row FROM ${table} t WHERE ${mine}`,
  )
  const own =
    "SELECT to_jsonb(s) - 'last_seen_at' AS row FROM session s JOIN app_user u ON u.id = s.user_id WHERE u.email = $1"
  const rows = await service.sql(`${[...parts, own].join(" UNION ALL ")} ORDER BY 1`, [email])
  return createHash("sha256").update(JSON.stringify(rows)).digest("hex")
}
