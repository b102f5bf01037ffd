import { z } from "zod"
import { brandSettings } from "./brand-settings"
import { engineSettings } from "./engine-settings"
import { oidcSettings } from "./oidc-settings"
import {
  database,
  dataFolder,
  emails,
  filled,
  identity,
  oneOf,
  origin,
  positiveUsd,
  secret,
  usd,
  whole,
  withoutPath,
  workers,
} from "./setting-values"
import { signUpSettings } from "./sign-up-settings"
import { traceSettings } from "./trace-settings"

/** The settings that hold a secret. Each may be in a file instead, whose path is in `NAME_FILE`. */
export const SECRETS: readonly string[] = [
  "DATABASE_URL",
  "DATABASE_DIRECT_URL",
  "REDIS_URL",
  "AUTH_SECRET",
  "AUTH_SECRET_PREVIOUS",
  "EMAIL_SERVER",
  "OIDC_CLIENT_SECRET",
  "ENGINE_API_KEY",
  "STRIPE_SECRET_KEY",
  "STRIPE_WEBHOOK_SECRET",
  "BACKUP_KEY",
  "AWS_SECRET_ACCESS_KEY",
  "METRICS_TOKEN",
  "HTTPS_PROXY",
]

/**
 * Every setting: an environment variable, its check, its default and its meaning. `npm run settings` writes the table of
 * docs/operating.md from it. `fallback` says there what an unset variable means, where the default alone does not.
 */
export const Settings = z.object({
  PORT: whole(0, 65_535).default(3000).describe("The port on which the process listens"),
  HOST: filled.default("127.0.0.1").describe("The address on which it listens"),
  SERVE: oneOf("all", "api", "console")
    .default("all")
    .describe("`api` or `console` runs only that half. Both then need `DATABASE_URL`"),
  API_WORKERS: workers
    .prefault("1")
    .describe(
      "How many processes serve the API on one port, or `auto`: one for each processor, as far as PostgreSQL has connections. See [Several processes](#several-processes)",
    ),
  CONSOLE_URL: withoutPath
    .optional()
    .meta({ fallback: "`http://localhost:PORT`", description: "The public address of the console, without a path" }),
  BASE_URL: origin
    .optional()
    .meta({ fallback: "`CONSOLE_URL`", description: "The public address of the API, if it differs" }),
  DATA_DIR: dataFolder
    .default(".data")
    .describe(
      "Holds the embedded PostgreSQL, the outbox, the generated secret, and the engine and models of `ENGINE_GGUF`",
    ),
  DATABASE_URL: database
    .optional()
    .meta({ fallback: "embedded PostgreSQL", description: "`postgres://…`, your own PostgreSQL" }),
  DATABASE_DIRECT_URL: database.optional().meta({
    fallback: "`DATABASE_URL`",
    description: "PostgreSQL itself, for migrations, when `DATABASE_URL` points to a pooler in transaction mode",
  }),
  DATABASE_POOL: whole(2, 1_000)
    .default(10)
    .describe(
      "The most connections of one process to PostgreSQL, 2 or more. The console's process has a pool of the same size, and so has each worker of `API_WORKERS`",
    ),
  AUTO_MIGRATE: oneOf("0", "1")
    .default("0")
    .describe(
      "`1`: a server migrates the database at `DATABASE_URL` when it starts. An embedded database is always migrated",
    ),
  ALLOW_NEWER_SCHEMA: oneOf("0", "1")
    .default("0")
    .describe(
      "`1`: start on a database that a newer version migrated. See [Rolling back](operating/upgrades-and-backups.md#rolling-back)",
    ),
  REDIS_URL: z
    .url({ protocol: /^rediss?$/, error: "must be a redis:// URL" })
    .optional()
    .meta({
      fallback: "in-process windows",
      description: "`redis://…` or `rediss://…`. Several processes then share the rate limits",
    }),
  AUTH_SECRET: secret.optional().meta({
    fallback: "generated, kept in `DATA_DIR`",
    description: "32 characters or more. Required when `CONSOLE_URL` is public",
  }),
  AUTH_SECRET_PREVIOUS: secret
    .optional()
    .describe(
      "Another secret that is accepted during a rotation. See [The secret](operating/upgrades-and-backups.md#the-secret)",
    ),
  EMAIL_SERVER: z
    .url({ protocol: /^smtps?$/, error: "must be an smtp:// or smtps:// URL" })
    .optional()
    .meta({
      fallback: "local outbox",
      description:
        "`smtp://…` or `smtps://…`. Required when `CONSOLE_URL` is public. With `smtp://`, a server of another machine must offer STARTTLS, unless the address ends with `/?requireTLS=false`",
    }),
  EMAIL_FROM: filled
    .optional()
    .meta({ fallback: "`no-reply@localhost`", description: "The sender of mails. Required with `EMAIL_SERVER`" }),
  ...brandSettings,
  ...signUpSettings,
  ...oidcSettings,
  OPERATOR_EMAILS: emails
    .optional()
    .describe(
      "The admins, who operate the service in the console and invite others: addresses separated by commas. See [The operator's area](#the-operators-area)",
    ),
  OPERATOR_LOOKS: oneOf("shown", "hidden")
    .default("shown")
    .describe("`hidden`: the audit log of an account does not list its pages that operators viewed"),
  ...engineSettings,
  COMPATIBLE_NAMES: oneOf("0", "1")
    .default("1")
    .describe(
      "`0`: a first start adds none of the model names that clients of other APIs send, such as `jev-latest`. See `operator model name`",
    ),
  EVALUATE_RATE: whole(1, 10_000)
    .default(50)
    .describe(
      "Rows that Evaluate may send per second for each account, at the usual price. They count against no other rate limit, and wait in the engine's queue behind all other requests",
    ),
  LABEL_MASS_MIN: z.coerce
    .number({ error: "must be a number" })
    .min(0, "must be 0 or more")
    .max(1, "must be 1 or less")
    .default(0.5)
    .describe(
      "An answer is `502` when the engine reports that the model would have written one of its labels with a smaller probability",
    ),
  WELCOME_CREDIT_USD: usd("an amount").optional().meta({
    fallback: "`1` on a loopback `CONSOLE_URL`, else `0`",
    description:
      "The credit of a new account, once for each mailbox: what follows a `+` does not count, nor do dots at Gmail. Above `0` at the first start, the keyword scorer costs $0.02 per million tokens. Else it is free",
  }),
  ACCOUNT_RATE: whole(1, 1_000_000)
    .default(20)
    .describe("Requests per second of a new account. `account limits` changes those of one account"),
  KEY_RATE: whole(1, 1_000_000).default(10).describe("Requests per second of each key of a new account"),
  ACCOUNT_BUDGET_USD: positiveUsd.optional().meta({
    fallback: "no budget",
    description: "The monthly budget of a new account. Its owners can change or remove it",
  }),
  HSTS_SUBDOMAINS: oneOf("0", "1").default("1").meta({
    description:
      "`1`: browsers use HTTPS for all subdomains of an `https:` address too. `0` where a subdomain has no HTTPS",
  }),
  TRY_WITHOUT_ACCOUNT: oneOf("0", "1").optional().meta({
    fallback: "`1` on a loopback `CONSOLE_URL`, else `0`",
    description:
      "`1`: visitors of the first page may run 10 decisions a day without an account, at your cost. See [Visitors](#visitors)",
  }),
  STRIPE_SECRET_KEY: z
    .string()
    .regex(/^[sr]k_(test|live)_\w+$/, "must be sk_live_…, sk_test_… or a restricted key rk_…")
    .optional()
    .meta({ fallback: "top-ups are off", description: "`sk_live_…`, `sk_test_…` or a restricted key `rk_…`" }),
  STRIPE_WEBHOOK_SECRET: z
    .string()
    .regex(/^\s*whsec_[\w+/=-]+\s*(,\s*whsec_[\w+/=-]+\s*)?$/, "must be whsec_… or two of them separated by a comma")
    .optional()
    .meta({
      fallback: "webhooks are refused",
      description:
        "`whsec_…`, or two separated by a comma during rotation. Required with the key when `CONSOLE_URL` is public",
    }),
  STRIPE_AUTOMATIC_TAX: oneOf("on", "off")
    .default("off")
    .describe("`on`: Stripe Tax adds tax to the amount that is credited"),
  STRIPE_API_BASE: origin.optional().meta({
    fallback: "Stripe",
    description: "The address of a test double. Accepted only with a loopback `CONSOLE_URL`",
  }),
  TOPUP_MIN_USD: usd("an amount").prefault("5").describe("The smallest top-up. Stripe's minimum is `0.50`"),
  TOPUP_MAX_USD: usd("an amount").prefault("5000").describe("The largest top-up"),
  TRUSTED_PROXY_HOPS: whole(0, 10)
    .default(0)
    .describe(
      "The number of proxies in front that append to `X-Forwarded-For`. At most 10. Above 0, a request without a valid address in it gets `400`, except health checks",
    ),
  DRAIN_S: whole(0, 300)
    .default(0)
    .describe(
      "How long the service still accepts requests after `SIGTERM`, while `/readyz` is already `503`. See [Stopping](#stopping)",
    ),
  RETENTION_DAYS: whole(1, 36_500)
    .default(90)
    .describe(
      "How long refused requests, details of requests, outcomes and sums by hour are kept. See [What is kept](#what-is-kept)",
    ),
  STATUS_RETENTION_DAYS: whole(1, 3_650)
    .default(90)
    .describe("How long the uptime of each day is kept for [the status](#status)"),
  SIGN_IN_RETENTION_HOURS: whole(1, 87_600)
    .default(24)
    .describe("How long the rows of sign-in links are kept: a hash, the e-mail address and the client's address"),
  BACKUP_EVERY_HOURS: whole(0, 8_760)
    .default(0)
    .describe(
      "Servers make a backup when the last one is this old. `0`: none. See [Backups](operating/upgrades-and-backups.md#backups)",
    ),
  BACKUP_DIR: filled.optional().meta({ fallback: "`backups` in `DATA_DIR`", description: "Where these backups go" }),
  BACKUP_URL: z
    .string()
    .regex(/^s3:\/\/[a-z0-9][a-z0-9.-]+(?:\/[\w!.*'()/-]*)?$/, "must be s3://BUCKET or s3://BUCKET/PREFIX")
    .transform((url) => url.replace(/\/+$/, ""))
    .optional()
    .meta({
      fallback: "`BACKUP_DIR`",
      description:
        "`s3://BUCKET/PREFIX`: these backups go to a store that speaks S3. See [Backups at S3](operating/upgrades-and-backups.md#backups-at-s3)",
    }),
  BACKUP_KEY: identity.optional().meta({
    fallback: "backups are not encrypted",
    description:
      "An `age` identity, `AGE-SECRET-KEY-1…`: backups are encrypted to its recipient. See [Encrypted backups](operating/upgrades-and-backups.md#encrypted-backups)",
  }),
  BACKUP_KEEP: whole(1, 10_000).default(7).describe("How many of them are kept"),
  AWS_ENDPOINT_URL: origin
    .optional()
    .meta({ fallback: "Amazon's address", description: "The address of the store for `s3://`" }),
  AWS_REGION: filled.default("us-east-1").describe("The region of that store"),
  AWS_ACCESS_KEY_ID: filled.optional().describe("The credentials for that store. Required for `s3://`"),
  AWS_SECRET_ACCESS_KEY: filled.optional().describe("Their secret"),
  HTTPS_PROXY: z
    .url({ protocol: /^https?$/, error: "must be an http or https URL" })
    .optional()
    .meta({
      fallback: "direct connections",
      description:
        "`http://…`, a proxy for requests to `https://` addresses outside of your network. See [Behind a proxy](#behind-a-proxy)",
    }),
  NO_PROXY: filled
    .optional()
    .describe(
      "What is reached without that proxy: names with their subdomains, addresses and ranges, separated by commas",
    ),
  METRICS_TOKEN: filled.optional().meta({
    fallback: "`/metrics` is local only, and `404` when `CONSOLE_URL` is public",
    description: "Allows `/metrics` from elsewhere with `Authorization: Bearer …`",
  }),
  ...traceSettings,
  LOG_LEVEL: oneOf("fatal", "error", "warn", "info", "debug", "silent")
    .default("info")
    .describe("`fatal`, `error`, `warn`, `info`, `debug` or `silent`"),
  NODE_ENV: oneOf("development", "production", "test")
    .default("production")
    .describe("Set by the npm scripts. Leave it unset"),
})
