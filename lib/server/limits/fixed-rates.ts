import type { Runtime } from "@/lib/server/platform/runtime"
import { ServiceError } from "@/lib/shared/errors"

interface RateLimit {
  perSecond: number
  /** What is counted, and for whom, as docs/guide/limits.md lists it. */
  requests: string
  of: string
}

/** The rate limits besides those of keys and accounts, which the operator sets. Each has windows of its own. */
export const FIXED_RATES = {
  models: { perSecond: 5, requests: "`GET /v1/models` and `GET /api/v1/models`, which need no key", of: "IP address" },
  key_reads: { perSecond: 5, requests: "`GET /api/v1/key` and `GET /openai/v1/models`", of: "API key" },
  reports: { perSecond: 5, requests: "`GET /api/account` and `GET /api/usage`", of: "account token" },
  account: { perSecond: 20, requests: "The routes below `/api/account`", of: "account token" },
  admin: { perSecond: 100, requests: "`/api/admin/v1`, the admin API of operators", of: "operator's token" },
  token_counts: { perSecond: 5, requests: "Token counts in the [playground](/playground)", of: "account" },
  signatures: { perSecond: 5, requests: "Signatures of sign-off records under [Evaluate](/evaluate)", of: "account" },
  outcomes: { perSecond: 5, requests: "`POST /v1/outcomes`, and uploads under [Outcomes](/outcomes)", of: "account" },
  provider_sign_ins: {
    perSecond: 5,
    requests: "Steps of a sign-in with an OpenID provider, two each, where the operator offers that",
    of: "IP address",
  },
  visitors: {
    perSecond: 2,
    requests: "Runs without an account, at most 10 a day, where the operator allows them",
    of: "IP address",
  },
} as const satisfies Record<string, RateLimit>

export type FixedRate = keyof typeof FIXED_RATES

/** Counts a row of Evaluate in the account's window for rows, which requests of its keys do not share. `perSecond` is its limit. */
export async function countRow({ rates }: Pick<Runtime, "rates">, accountId: string, perSecond: number) {
  const rows = `rows:${accountId}`
  return rates.count({ accountId: rows, keyId: rows }, { key: perSecond, account: perSecond })
}

/** Counts a request of an address, token or account, named by `id`. Throws `rate_limited` when it is over the limit. */
export async function requireWithinRate({ rates }: Pick<Runtime, "rates">, name: FixedRate, id: string): Promise<void> {
  const isWithin = await rates.countAddress(`${name}:${id}`, FIXED_RATES[name].perSecond)
  if (!isWithin) throw new ServiceError("rate_limited", { retryAfterSeconds: 1 })
}
