import { z } from "zod"
import { FIXED_RATES } from "@/lib/server/limits/fixed-rates"
import { ACCOUNT_API } from "@/lib/server/management/account-api"
import { describeApi, FORBIDDEN } from "@/lib/server/management/describe-api"
import { day, id, schemaOf, time, usd, whole } from "./account-fields"
import { components } from "./document"
import { errorUnions, LICENSE, OTHER, ofAccount } from "./responses"
import { webhooks } from "./webhooks"

const { failures, success } = ofAccount

const ending = (description: string) => z.string().nullable().meta({ description })

const AccountKey = z.strictObject({
  id: id("key", "The key's public id."),
  name: z.string(),
  ending: ending(
    "The last characters of the key's secret, which distinguish keys of one name; null for the playground's.",
  ),
  note: z.string().nullable(),
  kind: z.enum(["secret", "playground"]).meta({ description: "`playground` is the key that the console charges." }),
  status: z.enum(["active", "limit_reached", "paused", "expired"]),
  limit_usd: usd("The spend limit; null without one.").nullable(),
  limit_period: z.enum(["daily", "lifetime"]).nullable(),
  used_usd: usd("What the key spent in its current period; without a limit since its creation."),
  resets_at: time("When the next period of a daily limit starts.").nullable(),
  created_at: time("When the key was created."),
  last_used_at: time("When the key was last used.").nullable(),
  expires_at: time("When the key expires; null for never.").nullable(),
})

const Account = z.strictObject({
  id: id("acc", "The account's public id."),
  balance_usd: usd("The balance; it can be negative."),
  held_usd: usd("What requests in flight hold of the balance."),
  rate_limits: z.strictObject({
    requests_per_second: whole("Of all keys together."),
    requests_per_second_per_key: whole("Of each key."),
  }),
  month: z
    .strictObject({
      from: day("The first day of this month."),
      spent_usd: usd("What was charged since then."),
      decisions: whole("How many requests were charged."),
    })
    .meta({ description: "The charges of this month so far." }),
  keys: z.array(AccountKey).meta({ description: "Newest first, without revoked keys." }),
})

const FIGURES = {
  decisions: whole("How many requests were charged."),
  input_tokens: whole("Billable input tokens."),
  cost_usd: usd("What they cost."),
}

const UsageRow = z.strictObject({
  date: day("The day of the charges."),
  key_id: id("key", "The key that was charged."),
  key_name: z.string(),
  key_ending: ending("The last characters of the key's secret; null for the playground's."),
  model: z.string().meta({ description: "The pinned id that answered." }),
  ...FIGURES,
})

const Usage = z.strictObject({
  from: day("The first day."),
  to: day("The last day."),
  as_of: time("When the report was read. Charges after it are not in it."),
  total: z.strictObject(FIGURES),
  data: z.array(UsageRow).meta({
    description: "Newest day first, and within a day the most expensive first. Days without a charge have no row.",
  }),
})

const INFO = `What programs can read and change of an account: its balance, limits, usage, keys and members.

- Send an account token, which starts with \`svct_\`, as \`Authorization: Bearer\`. An owner creates it in the console under Settings, with scopes. \`account.read\`, \`keys.read\` and \`usage.read\` last. Another scope ends when its creator's role no longer has it. A token cannot pay for decisions, and a decision key cannot be used here.
- Each token may send ${FIXED_RATES.reports.perSecond} requests per second to \`/api/account\` and \`/api/usage\` together, and ${FIXED_RATES.account.perSecond} to all other routes.
- Money is exact decimal text with twelve decimals. Days are UTC days.`

const ERRORS = ["InvalidRequest", "InvalidApiKey", "NotFound", "MethodNotAllowed", "RateLimited", "InternalError"]

const ACCOUNT_EXAMPLE = {
  id: "acc_01k3tf8m0qe6h9v2n4x7b5c1d3",
  balance_usd: "41.250731400000",
  held_usd: "0.000012600000",
  rate_limits: { requests_per_second: 20, requests_per_second_per_key: 10 },
  month: { from: "2026-11-01", spent_usd: "8.749268600000", decisions: 48_213 },
  keys: [
    {
      id: "key_01k3tfa2c4e6g8j0m2p4r6t8v0",
      name: "Production",
      ending: "wXyZ",
      note: null,
      kind: "secret",
      status: "active",
      limit_usd: "5.000000000000",
      limit_period: "daily",
      used_usd: "0.412906200000",
      resets_at: "2026-11-23T00:00:00.000Z",
      created_at: "2026-11-02T09:14:03.512Z",
      last_used_at: "2026-11-22T13:40:18.000Z",
      expires_at: null,
    },
  ],
}

const FIGURES_EXAMPLE = { decisions: 1_204, input_tokens: 240_800, cost_usd: "0.010113600000" }
const USAGE_EXAMPLE = {
  from: "2026-11-21",
  to: "2026-11-22",
  as_of: "2026-11-22T13:41:07.204Z",
  total: FIGURES_EXAMPLE,
  data: [
    {
      date: "2026-11-22",
      key_id: "key_01k3tfa2c4e6g8j0m2p4r6t8v0",
      key_name: "Production",
      key_ending: "wXyZ",
      model: "svc-decider-4b-v1-1-api-1",
      ...FIGURES_EXAMPLE,
    },
  ],
}

/** The responses of both routes besides the 200. */
const REFUSALS = {
  ...failures(["invalid_request", "invalid_api_key", "rate_limited", "internal_error"], { withRateLimits: false }),
  403: FORBIDDEN,
  default: OTHER,
}

const usageResponse = success("The charges.", "Usage", USAGE_EXAMPLE)

const dayParameter = (name: "from" | "to", description: string) => ({
  name,
  in: "query",
  description,
  schema: { type: "string", format: "date" },
})

/** Returns the OpenAPI 3.1 document of what programs read of an account. Its errors are those of the API. */
export const accountDocument = () => {
  const all = components()
  const managed = describeApi(ACCOUNT_API)
  return {
    openapi: "3.1.1",
    info: { title: "Decision service: accounts", version: "1.0.0", description: INFO, license: LICENSE },
    jsonSchemaDialect: "https://json-schema.org/draft/2020-12/schema",
    servers: [{ url: "/" }],
    security: [{ accountToken: [] }],
    tags: [{ name: "Account", description: "What programs can read of an account." }, ...managed.tags],
    paths: {
      "/api/account": {
        get: {
          tags: ["Account"],
          operationId: "getAccount",
          summary: "Read the account",
          description:
            "Returns the balance, the rate limits, the keys with their limits, and this month's spend. Needs the scopes `account.read`, `keys.read` and `usage.read`.",
          responses: {
            200: success("The account.", "Account", ACCOUNT_EXAMPLE),
            ...REFUSALS,
          },
        },
      },
      "/api/usage": {
        get: {
          tags: ["Account"],
          operationId: "getUsage",
          summary: "Read the usage",
          description:
            "Returns what was charged by UTC day, key and model, equal to the ledger. A report covers at most 366 days and 10,000 rows. A `from` after `to`, and a parameter that is given twice or unknown, are `400 invalid_request`. Needs the scope `usage.read`.",
          parameters: [
            dayParameter("from", "The first day, included. By default 29 days before `to`."),
            dayParameter("to", "The last day, included. By default today."),
            {
              name: "format",
              in: "query",
              description: "`csv` returns the rows as CSV with a header line. New columns are added at the end.",
              schema: { type: "string", enum: ["json", "csv"], default: "json" },
            },
          ],
          responses: {
            200: {
              ...usageResponse,
              content: { ...usageResponse.content, "text/csv": { schema: { type: "string" } } },
            },
            ...REFUSALS,
          },
        },
      },
      ...managed.paths,
    },
    webhooks: webhooks(),
    components: {
      securitySchemes: {
        accountToken: {
          type: "http",
          scheme: "bearer",
          description: "An account token, which starts with `svct_`; created in the console under Settings.",
        },
      },
      schemas: {
        Account: schemaOf(Account),
        Usage: schemaOf(Usage),
        ...Object.fromEntries(ERRORS.flatMap((name) => [name, `${name}Detail`]).map((name) => [name, all[name]])),
        OtherError: errorUnions().OtherError,
        ...managed.schemas,
      },
    },
  }
}
