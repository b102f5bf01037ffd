import type { Right } from "@/lib/shared/accounts/roles"
import { PAGE_LIST } from "@/lib/shared/pages"
import { ACTIONS, type IdKind } from "@/test/verb-register"
import type { Owner } from "./people"

type Ids = Owner["ids"]

/** Returns a request that tries to use an id. */
type Attempt = (id: string, ids: Ids) => { path?: string; headers?: Record<string, string>; body?: string }

const json = { "content-type": "application/json" }
const question = { late: { type: "noul", instructions: "Is it late?" } }
const decision = (id: string) => JSON.stringify({ model: id, state: { id, account: id }, questions: question })
const outcome = (id: string) =>
  JSON.stringify({ outcomes: [{ request_id: id, question: "late", type: "noul", predicted: 0.5, outcome: true }] })
/** Attempts on a route of the API that decides. */
const ON_DECISIONS: Attempt[] = [
  (id) => ({ headers: { ...json, "x-svc-key-id": id }, body: decision(id) }),
  (id) => ({ headers: { ...json, authorization: `Bearer ${id}` }, body: decision("svc-decider-latest") }),
]
const form = (fields: Record<string, string>) => new URLSearchParams(fields).toString()
const FORM = { "content-type": "application/x-www-form-urlencoded" }

interface HandlerRow {
  /** The right that a handler with a session needs. Without one, the handler reads no session, or begins or ends one. */
  right?: Right
  /** Requests with an id in their body or headers. Handlers that read also get the id in path and query. */
  attempts?: Attempt[]
}

/** Attempts on an API of tokens. */
const ON_TOKENS: Attempt[] = [
  (id) => ({ headers: { ...json, authorization: `Bearer ${id}` }, body: JSON.stringify({ id }) }),
]
const OF_MANAGEMENT = Object.fromEntries(
  ["/api/account/[...path]", "/api/admin/v1/[...path]"].flatMap((path) =>
    ["DELETE", "GET", "HEAD", "PATCH", "POST", "PUT"].map((method) => [
      `${method} ${path}`,
      method === "GET" || method === "HEAD" ? {} : { attempts: ON_TOKENS },
    ]),
  ),
)

/** Every route handler of Next and every route of the server itself. One that is missing here fails the test. */
export const HANDLERS: Record<string, HandlerRow> = {
  "GET /.well-known/security.txt": {},
  "GET /api/account": { attempts: [(id) => ({ headers: { authorization: `Bearer ${id}` } })] },
  ...OF_MANAGEMENT,
  "GET /api/admin/openapi.json": {},
  "GET /api/auth/[...nextauth]": {},
  "GET /api/openapi.json": {},
  "GET /api/usage": { attempts: [(id) => ({ headers: { authorization: `Bearer ${id}` } })] },
  "GET /api/v1/key": { attempts: [(id) => ({ headers: { authorization: `Bearer ${id}` } })] },
  "GET /api/v1/models": {},
  "GET /billing/ledger.csv": { right: "billing.read" },
  "GET /confirmation": { right: "account.read" },
  "GET /docs-source/[slug]": {},
  "GET /docs/search.json": {},
  "GET /first-steps": { right: "account.read" },
  "GET /healthz": {},
  "GET /llms-full.txt": {},
  "GET /llms.txt": {},
  "GET /logo/[file]": {},
  "GET /metrics": {},
  "GET /openapi.json": {},
  "GET /openai/v1/models": { attempts: [(id) => ({ headers: { authorization: `Bearer ${id}` } })] },
  "GET /openai/v1/models/{id}": { attempts: [(id) => ({ headers: { authorization: `Bearer ${id}` } })] },
  "GET /readyz": {},
  "GET /requests/export.csv": { right: "account.read" },
  "GET /requests/export.jsonl": { right: "account.read" },
  "GET /robots.txt": {},
  "GET /search": { right: "account.read" },
  "GET /settings/export.zip": { right: "account.export" },
  "GET /status.json": {},
  "GET /third-party-licenses.txt": {},
  "GET /v1/models": {},
  "GET /v1/models/{id}": {},
  "POST /api/alpha/decisions": { attempts: ON_DECISIONS },
  "POST /api/auth/[...nextauth]": {
    attempts: [
      (id, { email = "" }) => ({
        path: "/api/auth/callback/email",
        headers: FORM,
        body: form({ token: id, email, id }),
      }),
      (id) => ({ path: "/api/auth/callback/email", headers: FORM, body: form({ token: "0".repeat(64), email: id }) }),
      (id) => ({ path: "/api/auth/session", headers: FORM, body: form({ id, session: id, email: id }) }),
    ],
  },
  "POST /api/stripe/webhook": {
    attempts: [
      (id) => ({
        headers: { ...json, "stripe-signature": `t=${Math.floor(Date.now() / 1000)},v1=${"0".repeat(64)}` },
        body: JSON.stringify({
          id: "evt_1",
          type: "checkout.session.completed",
          data: { object: { id, metadata: { topup: id } } },
        }),
      }),
    ],
  },
  "POST /api/v1/decisions": { attempts: ON_DECISIONS },
  "POST /api/v1/systemone": { attempts: ON_DECISIONS },
  "POST /openai/v1/decisions": { attempts: ON_DECISIONS },
  "POST /playground/decisions": {
    right: "decisions.run",
    attempts: [
      (id) => ({ headers: { ...json, "x-svc-key-id": id }, body: decision("svc-decider-latest") }),
      (id) => ({ headers: json, body: decision(id) }),
    ],
  },
  "POST /evaluate/decisions": {
    right: "decisions.run",
    attempts: [(id) => ({ headers: { ...json, "x-svc-key-id": id }, body: decision("svc-decider-latest") })],
  },
  "POST /playground/tokens": {
    right: "decisions.run",
    attempts: [(id) => ({ headers: { ...json, "x-svc-key-id": id }, body: decision(id) })],
  },
  // Answers without any account. test/attacks/visitors.slow.test.ts shows that no key or session of a request pays for it.
  "POST /try/decisions": {
    attempts: [
      (id) => ({ headers: { ...json, "x-svc-key-id": id, authorization: `Bearer ${id}` }, body: decision(id) }),
    ],
  },
  "POST /v1/decisions": { attempts: ON_DECISIONS },
  "POST /v1/systemone": { attempts: ON_DECISIONS },
  "POST /v1/systemone/batch": { attempts: ON_DECISIONS },
  // lib/server/api/outcomes-route.test.ts reports a request of another account with a key.
  "POST /v1/outcomes": {
    attempts: [(id) => ({ headers: { ...json, authorization: `Bearer ${id}` }, body: outcome(id) })],
  },
}

export const QUERY_NAMES =
  "id key keyId account accountId user userId session session_id topup request requestId entry event before after cursor month q model from to by result next topic amount card".split(
    " ",
  )

/** The names in `Owner["ids"]` of the ids of each kind. */
const NAMES: Partial<Record<IdKind, string[]>> = {
  account: ["account"],
  key: ["key", "playground"],
  member: ["user"],
  session: ["session"],
  topup: ["topup"],
}
const IN_PATH = { acc: NAMES.account, key: NAMES.key, inv: [], req: ["request", "refusal"] }
const IN_QUERY: Record<string, string[]> = {
  "/billing": ["entry in the database"],
  "/billing/ledger.csv": ["account"],
  "/billing/statement": ["account"],
  "/billing/top-up/return": ["checkout in the database", "payment in the database"],
  "/search": ["request", "refusal"],
  "/settings/audit": ["audit in the database"],
  "/settings/export.zip": ["account"],
  "/requests": ["key", "playground", "request", "refusal", "place in the log"],
  "/requests/export.csv": ["account", "key", "playground"],
  "/requests/export.jsonl": ["account", "key", "playground"],
  "/usage": ["key", "playground", "request", "refusal"],
}

/** Returns the names of the ids that a page, or a handler that reads, takes in its path and query. */
export function idsInAddress(route: string): string[] {
  const prefix = PAGE_LIST.find(({ path }) => path === route)?.id
  return [...((prefix && IN_PATH[prefix]) ?? []), ...(IN_QUERY[route] ?? [])]
}

/** Returns the names of the ids that an action takes. One that takes none gets an account's, which it must ignore. */
export const idsOfAction = (name: string): string[] => NAMES[ACTIONS[name]?.[2]?.of ?? "account"] ?? []
