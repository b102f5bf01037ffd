/**
 * Compares the console of two builds: how long its server takes for each page, and the memory of its process afterwards. Requests
 * to the two alternate. Prints the ten pages that take longest.
 *
 * `BEFORE=../earlier npm run bench pages`, where the folder is a checkout of another commit in which `npm run build` ran.
 * `ROUNDS=20` measures less.
 */
import { execFile } from "node:child_process"
import { readFileSync } from "node:fs"
import { promisify } from "node:util"
import pg from "pg"
import { hashSessionToken, newSessionToken } from "@/lib/server/auth/session-cookie"
import { startEmbedded } from "@/lib/server/platform/db/embedded"
import { newId, publicId } from "@/lib/server/platform/ids"
import { type BuiltService, startService } from "./support/built-service"
import { familyOf, memoryMiB } from "./support/machine"

const EMAIL = "bench@example.com"
const ROUNDS = Number(process.env.ROUNDS || 100)
const WARM_UP = 20
const SHOWN = 10
const MAX = { ratio: 1.1, memoryMiB: 60 }
const before = process.env.BEFORE
if (!before) throw new Error("BEFORE names the folder of another build")

interface Build {
  name: string
  service: BuiltService
  cookie: string
  pages: string[]
  times: Map<string, number[]>
}

/** What a user of some weeks has. $1 is the account, $2 its owner. */
const ROWS = [
  `INSERT INTO api_key (id, account_id, name, masked, secret_sha256, created_by)
   SELECT gen_random_uuid(), $1, 'Key ' || n, 'svcd_…' || n, sha256(convert_to(n::text, 'UTF8')), $2 FROM generate_series(1, 30) AS n`,
  `WITH added AS (INSERT INTO app_user (id, email)
     SELECT gen_random_uuid(), 'member' || n || '@example.com' FROM generate_series(1, 40) AS n RETURNING id)
   INSERT INTO member (account_id, user_id, role) SELECT $1, id, 'viewer' FROM added WHERE $2::uuid IS NOT NULL`,
  `INSERT INTO invitation (id, account_id, email, role, invited_by, expires_at)
   SELECT gen_random_uuid(), $1, 'guest' || n || '@example.com', 'viewer', $2, now() + interval '7 days' FROM generate_series(1, 20) AS n`,
  `INSERT INTO account_token (id, account_id, name, masked, secret_sha256)
   SELECT gen_random_uuid(), $1, 'Token ' || n, 'svct_…' || n, sha256(convert_to($2 || n::text, 'UTF8')) FROM generate_series(1, 20) AS n`,
  `INSERT INTO audit_event (account_id, actor, action, subject) SELECT $1, 'user:' || $2, 'account.rename', NULL FROM generate_series(1, 500)`,
  `WITH added AS (INSERT INTO webhook_endpoint (id, account_id, url, events, secret)
     VALUES (gen_random_uuid(), $1, 'https://example.com/hook', '{balance.low}', sha256(convert_to($2::text, 'UTF8'))) RETURNING id)
   INSERT INTO webhook_delivery (id, account_id, endpoint_id, type, source, body, next_at, sent_at)
   SELECT gen_random_uuid(), $1, id, 'balance.low', 'bench:' || n, '{}', NULL, now() FROM added, generate_series(1, 50) AS n`,
]

/** Fills the service's database. Returns the cookie of an operator's session, and the pages to measure. */
async function seed(root: string, dataDir: string): Promise<Pick<Build, "cookie" | "pages">> {
  const env = { ...process.env, NODE_ENV: "production", DATA_DIR: dataDir } as const
  const operator = (...args: string[]) =>
    promisify(execFile)(process.execPath, ["dist/operator.js", ...args], { cwd: root, env })
  await operator("account", "create", EMAIL)
  for (let i = 0; i < 5; i++) await operator("account", "credit", EMAIL, "10", "--note", "bench")
  const embedded = await startEmbedded(dataDir, "command")
  const pool = new pg.Pool(embedded.config)
  try {
    const { rows } = await pool.query(
      "SELECT m.account_id, m.user_id FROM app_user u JOIN member m ON m.user_id = u.id WHERE u.email = $1",
      [EMAIL],
    )
    const { account_id: accountId, user_id: userId } = rows[0]
    for (const sql of ROWS) await pool.query(sql, [accountId, userId])
    const token = newSessionToken()
    await pool.query(
      "INSERT INTO session (id, token_hash, user_id, expires_at, confirmed_at) VALUES ($1, $2, $3, now() + interval '1 day', now())",
      [newId(), hashSessionToken(token), userId],
    )
    const { rows: keys } = await pool.query(
      "SELECT id FROM api_key WHERE account_id = $1 AND kind = 'secret' LIMIT 1",
      [accountId],
    )
    const own = ["/keys", `/keys/${publicId("key", keys[0].id)}`, "/usage", "/billing", "/members", "/models", "/start"]
    const settings = ["/settings", "/settings/audit", "/settings/webhooks"]
    const operating = [
      "",
      "/audit",
      "/accounts",
      `/accounts/${publicId("acc", accountId)}`,
      "/models",
      "/mail",
      "/health",
    ]
    return {
      cookie: `svcd-session=${token}`,
      pages: [...own, ...settings, ...operating.map((path) => `/operator${path}`)],
    }
  } finally {
    await pool.end()
    await embedded.release()
  }
}

async function start(name: string, root: string): Promise<Build> {
  const service = await startService({ OPERATOR_EMAILS: EMAIL, LOG_LEVEL: "error" }, [], root)
  return { name, service, times: new Map(), ...(await seed(root, service.dataDir)) }
}

async function request({ service, cookie }: Build, page: string): Promise<number> {
  const startedAt = performance.now()
  const response = await fetch(`http://127.0.0.1:${service.port}${page}`, { headers: { cookie }, redirect: "manual" })
  await response.text()
  if (response.status !== 200) throw new Error(`${page} responded with ${response.status}`)
  return performance.now() - startedAt
}

const quantile = (times: number[] = [], share: number): number =>
  times.toSorted((a, b) => a - b)[Math.ceil(times.length * share) - 1] ?? 0
const p95 = (times?: number[]): number => quantile(times, 0.95)

function consoleMemory({ service }: Build): number {
  const isConsole = (pid: number) => readFileSync(`/proc/${pid}/cmdline`, "utf8").includes("console-process")
  const pid = familyOf(service.pid).find(isConsole)
  return pid === undefined ? 0 : memoryMiB(pid, "VmRSS")
}

const builds = [await start("before", before), await start("now", ".")] as [Build, Build]
try {
  const [old, now] = builds
  for (let round = -WARM_UP; round < ROUNDS; round++)
    for (const [at, page] of old.pages.entries())
      for (const build of round % 2 === 0 ? builds : builds.toReversed()) {
        const ms = await request(build, build.pages[at] ?? "")
        if (round >= 0) build.times.set(page, [...(build.times.get(page) ?? []), ms])
      }
  const slowest = old.pages.toSorted((a, b) => p95(old.times.get(b)) - p95(old.times.get(a))).slice(0, SHOWN)
  for (const page of slowest) {
    const [was, is] = [p95(old.times.get(page)), p95(now.times.get(page))]
    const isMet = is <= was * MAX.ratio
    const name = page.replace(/_[0-9a-z]{26}/, "_…")
    const medians = [old, now].map(({ times }) => quantile(times.get(page), 0.5).toFixed(1)).join(" → ")
    console.log(
      `${isMet ? "met   " : "MISSED"} ${name.padEnd(24)} p95 ${was.toFixed(1)} → ${is.toFixed(1)} ms, × ${(is / was).toFixed(2)}   median ${medians} ms`,
    )
  }
  const [was, is] = [consoleMemory(old), consoleMemory(now)]
  const isMet = is - was <= MAX.memoryMiB
  console.log(`${isMet ? "met   " : "MISSED"} the console's process holds ${was.toFixed(0)} → ${is.toFixed(0)} MiB`)
} finally {
  for (const { service } of builds) await service.stop()
}
