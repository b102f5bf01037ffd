import { existsSync } from "node:fs"
import { z } from "zod"
import { parseEmailAddress } from "@/lib/shared/auth/schema"
import { type Pico, parseUsd } from "@/lib/shared/money"
import { accentOf } from "./accent"
import { brandSettings } from "./brand-settings"
import { isLoopbackName } from "./own-origin"

const origin = z
  .url({ protocol: /^https?$/, error: "must be an http or https URL" })
  .transform((url) => url.replace(/\/+$/, ""))
const withoutPath = origin.refine(
  (url) => new URL(url).pathname === "/" && !/[?#@]/.test(url),
  "must be an address without a path, such as https://decide.example.com",
)
const usd = (what: string) =>
  z.string().transform((text, context): Pico => {
    const value = parseUsd(text)
    if (value !== null && value >= 0n) return value
    context.addIssue({ code: "custom", message: `must be ${what} in USD, such as 5 or 0.50` })
    return z.NEVER
  })
const whole = (low: number, high: number) =>
  z.coerce
    .number({ error: "must be a number" })
    .int()
    .min(low, `must be ${low} or more`)
    .max(high, `must be ${high} or less`)
const MAX_WORKERS = 64
const workers = z.string().transform((text, context): number | "auto" => {
  if (text === "auto") return text
  if (/^[1-9]\d?$/.test(text) && Number(text) <= MAX_WORKERS) return Number(text)
  context.addIssue({ code: "custom", message: `must be auto or a whole number from 1 to ${MAX_WORKERS}` })
  return z.NEVER
})
const emails = z.string().transform((text, context): ReadonlySet<string> => {
  const addresses = text.split(",").map(parseEmailAddress)
  if (addresses.every((address) => address !== null)) return new Set(addresses)
  context.addIssue({ code: "custom", message: "must be e-mail addresses separated by commas" })
  return z.NEVER
})
const SMALLEST_TOPUP = parseUsd("0.50") as Pico
const flag = z.enum(["0", "1"], { error: "must be 0 or 1" }).default("0")
const filled = z.string().min(1)

const SAMPLERS = [
  ...(["always_on", "always_off", "traceidratio"] as const),
  ...(["parentbased_always_on", "parentbased_always_off", "parentbased_traceidratio"] as const),
] as const

/** Returns whether a source of a model is on a hub: `hf:OWNER/REPO` or `hf:OWNER/REPO:FILE.gguf`. */
const isHubSource = (source: string): boolean =>
  /^hf:[\w.-]+\/[\w.-]+(?::[\w./-]+\.gguf)?$/.test(source) && !/(?:^hf:|[/:])\.\.?(?:[/:]|$)/.test(source)

const Settings = z.object({
  NODE_ENV: z.enum(["development", "production", "test"]).default("production"),
  PORT: whole(0, 65_535).default(3000),
  HOST: filled.default("127.0.0.1"),
  SERVE: z.enum(["all", "api", "console"], { error: "must be all, api or console" }).default("all"),
  API_WORKERS: workers.prefault("1"),
  CONSOLE_URL: withoutPath.optional(),
  BASE_URL: origin.optional(),
  DATA_DIR: filled.default(".data"),
  DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/, error: "must be a postgres:// URL" }).optional(),
  DATABASE_DIRECT_URL: z.url({ protocol: /^postgres(ql)?$/, error: "must be a postgres:// URL" }).optional(),
  DATABASE_POOL: whole(2, 1_000).default(10),
  AUTO_MIGRATE: flag,
  ALLOW_NEWER_SCHEMA: flag,
  REDIS_URL: z.url({ protocol: /^rediss?$/, error: "must be a redis:// URL" }).optional(),
  AUTH_SECRET: z.string().min(32, "must have 32 characters or more").optional(),
  AUTH_SECRET_PREVIOUS: z.string().min(32, "must have 32 characters or more").optional(),
  EMAIL_SERVER: z.url({ protocol: /^smtps?$/, error: "must be an smtp:// or smtps:// URL" }).optional(),
  EMAIL_FROM: filled.optional(),
  OPERATOR_EMAILS: emails.optional(),
  ENGINE_URL: origin.optional(),
  ENGINE_MODEL: filled.optional(),
  ENGINE_KIND: z.enum(["system-one", "labels"], { error: "must be system-one or labels" }).default("system-one"),
  ENGINE_API_KEY: filled.optional(),
  ENGINE_GGUF: filled
    .refine(
      (source) => isHubSource(source) || !source.startsWith("hf:"),
      "must be a file, hf:OWNER/REPO or hf:OWNER/REPO:FILE",
    )
    .refine((source) => source.startsWith("hf:") || existsSync(source), "must be a file that exists")
    .optional(),
  ENGINE_GPU: z.enum(["cuda", "vulkan", "metal"], { error: "must be cuda, vulkan or metal" }).optional(),
  HF_ENDPOINT: origin.default("https://huggingface.co"),
  ENGINE_TOKENIZER: filled.refine((folder) => existsSync(folder), "must be a folder that exists").optional(),
  STRIPE_SECRET_KEY: z
    .string()
    .regex(/^[sr]k_(test|live)_\w+$/, "must be sk_live_…, sk_test_… or a restricted key rk_…")
    .optional(),
  STRIPE_WEBHOOK_SECRET: z
    .string()
    .regex(/^\s*whsec_[\w+/=-]+\s*(,\s*whsec_[\w+/=-]+\s*)?$/, "must be whsec_… or two of them separated by a comma")
    .optional(),
  STRIPE_API_BASE: origin.optional(),
  STRIPE_AUTOMATIC_TAX: z.enum(["on", "off"], { error: "must be on or off" }).default("off"),
  TOPUP_MIN_USD: usd("an amount").prefault("5"),
  TOPUP_MAX_USD: usd("an amount").prefault("5000"),
  DRAIN_S: whole(0, 300).default(0),
  TRUSTED_PROXY_HOPS: whole(0, 10).default(0),
  WELCOME_CREDIT_USD: usd("an amount").optional(),
  METRICS_TOKEN: filled.optional(),
  RETENTION_DAYS: whole(1, 36_500).default(90),
  STATUS_RETENTION_DAYS: whole(1, 3_650).default(90),
  SIGN_IN_RETENTION_HOURS: whole(1, 87_600).default(24),
  BACKUP_EVERY_HOURS: whole(0, 8_760).default(0),
  BACKUP_DIR: filled.optional(),
  BACKUP_KEEP: whole(1, 10_000).default(7),
  OTEL_EXPORTER_OTLP_ENDPOINT: origin.optional(),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: origin.optional(),
  OTEL_EXPORTER_OTLP_PROTOCOL: z.literal("http/protobuf", { error: "must be http/protobuf" }).optional(),
  OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: z.literal("http/protobuf", { error: "must be http/protobuf" }).optional(),
  OTEL_SDK_DISABLED: z.enum(["true", "false"], { error: "must be true or false" }).default("false"),
  OTEL_TRACES_EXPORTER: z.enum(["otlp", "none"], { error: "must be otlp or none" }).default("otlp"),
  OTEL_TRACES_SAMPLER: z.enum(SAMPLERS, { error: `must be one of ${SAMPLERS.join(", ")}` }).optional(),
  OTEL_TRACES_SAMPLER_ARG: z.coerce.number({ error: "must be a number" }).min(0).max(1, "must be 1 or less").optional(),
  LOG_LEVEL: z.enum(["fatal", "error", "warn", "info", "debug", "silent"]).default("info"),
  ...brandSettings,
})

const Env = Settings.transform((settings, context) => {
  const consoleUrl = settings.CONSOLE_URL ?? `http://localhost:${settings.PORT}`
  const loopback = isLoopbackName(new URL(consoleUrl).hostname)
  const refuse = (name: string, message: string) => context.addIssue({ code: "custom", path: [name], message })
  const require = (name: string, value: unknown) => {
    if (value === undefined && !loopback) refuse(name, "is required when CONSOLE_URL is not this machine")
  }
  require("AUTH_SECRET", settings.AUTH_SECRET)
  require("EMAIL_SERVER", settings.EMAIL_SERVER)
  if (settings.EMAIL_SERVER && !settings.EMAIL_FROM) refuse("EMAIL_FROM", "is required with EMAIL_SERVER")
  if (settings.STRIPE_SECRET_KEY) require("STRIPE_WEBHOOK_SECRET", settings.STRIPE_WEBHOOK_SECRET)
  if (settings.STRIPE_API_BASE && !loopback)
    refuse("STRIPE_API_BASE", "is only allowed when CONSOLE_URL is this machine: it replaces Stripe by a test double")
  if (settings.ENGINE_KIND === "labels" && settings.ENGINE_TOKENIZER)
    refuse("ENGINE_TOKENIZER", "must be empty with ENGINE_KIND=labels: the engine counts tokens")
  if (settings.ENGINE_GGUF) {
    const { ENGINE_URL, ENGINE_MODEL, ENGINE_API_KEY, ENGINE_TOKENIZER } = settings
    if (ENGINE_URL)
      refuse("ENGINE_GGUF", "must be empty with ENGINE_URL: the service starts an engine or connects to one")
    const others = Object.entries({ ENGINE_MODEL, ENGINE_API_KEY, ENGINE_TOKENIZER })
    for (const [name, value] of others) if (value) refuse(name, "must be empty with ENGINE_GGUF")
    if (settings.ENGINE_KIND !== "system-one")
      refuse("ENGINE_KIND", "must be empty with ENGINE_GGUF: the file says what it is")
  }
  if (settings.TOPUP_MIN_USD < SMALLEST_TOPUP)
    refuse("TOPUP_MIN_USD", "must be 0.50 or more, which is Stripe's minimum")
  if (settings.TOPUP_MAX_USD < settings.TOPUP_MIN_USD) refuse("TOPUP_MAX_USD", "must not be below TOPUP_MIN_USD")
  const { SERVICE_COLOR, SERVICE_COLOR_DARK } = settings
  if (SERVICE_COLOR_DARK && !SERVICE_COLOR) refuse("SERVICE_COLOR", "is required with SERVICE_COLOR_DARK")
  if (settings.SERVE !== "all" && !settings.DATABASE_URL)
    refuse("DATABASE_URL", `is required with SERVE=${settings.SERVE}`)
  if (settings.SERVE === "console" && settings.API_WORKERS !== 1)
    refuse("API_WORKERS", "must be empty with SERVE=console, which serves no API")
  return {
    ...settings,
    CONSOLE_URL: consoleUrl,
    // By default one process serves both at one address.
    BASE_URL: settings.BASE_URL ?? consoleUrl,
    OPERATOR_EMAILS: settings.OPERATOR_EMAILS ?? new Set<string>(),
    EMAIL_FROM: settings.EMAIL_FROM ?? `"${settings.SERVICE_NAME.replaceAll(/["\\]/g, "")}" <no-reply@localhost>`,
    /** Null for the built-in colours. */
    accent: SERVICE_COLOR ? accentOf(SERVICE_COLOR, SERVICE_COLOR_DARK) : null,
    WELCOME_CREDIT_USD: settings.WELCOME_CREDIT_USD ?? (parseUsd(loopback ? "1" : "0") as Pico),
    isLoopback: loopback,
    isSecure: consoleUrl.startsWith("https:"),
    isTracing:
      (settings.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT ?? settings.OTEL_EXPORTER_OTLP_ENDPOINT) !== undefined &&
      settings.OTEL_SDK_DISABLED === "false" &&
      settings.OTEL_TRACES_EXPORTER === "otlp",
    isDevelopment: settings.NODE_ENV === "development",
  }
})

export type Env = z.output<typeof Env>

/** A setting that prevents the start. The message is one line that names the setting. */
export class BadSetting extends Error {}

/** Reads the settings, by default from the process's environment. An empty value counts as unset. Throws `BadSetting`. */
export function readEnv(source: Record<string, string | undefined> = process.env): Env {
  const given = Object.fromEntries(Object.entries(source).filter(([, value]) => value !== ""))
  const result = Env.safeParse(given)
  if (result.success) return result.data
  const [issue] = result.error.issues
  throw new BadSetting(`${issue?.path.join(".")} ${issue?.message}`)
}

/** Prefixes of this service's settings that few other programs use. */
const OURS = /^(?:SVC|DATABASE|ENGINE|EMAIL|STRIPE|TOPUP|METRICS|RETENTION|TRUSTED|WELCOME|SIGN_IN|DRAIN|CONSOLE)_/
/** A setting of API clients, and variables that Kubernetes sets for a service whose name has such a prefix. */
const NOT_OURS = /^SVC_API_KEY$|_SERVICE_(?:HOST|PORT)(?:_|$)|_PORT(?:_\d+_|$)/

/** Returns whether one insertion, deletion, replacement or swap of neighbours turns one name into the other. */
function isSlip(one: string, other: string): boolean {
  if (Math.abs(one.length - other.length) > 1) return false
  let i = 0
  while (i < one.length && one[i] === other[i]) i++
  const [a, b] = [one.slice(i), other.slice(i)]
  if (a.slice(1) === b.slice(1) || a.slice(1) === b || a === b.slice(1)) return true
  return a.slice(2) === b.slice(2) && a[0] === b[1] && a[1] === b[0]
}

/** Returns the names of variables that look like settings of this service but are none, such as `DATABASE_ULR`. */
export function unknownSettings(source: Record<string, string | undefined> = process.env): string[] {
  const known = Object.keys(Settings.shape)
  return Object.keys(source)
    .filter((name) => !known.includes(name) && !NOT_OURS.test(name))
    .filter((name) => OURS.test(name) || known.some((setting) => setting.length > 4 && isSlip(name, setting)))
    .sort()
}

/** Returns the environment for child processes: the `PATH`, a fixed locale and time zone, and no secret. */
export const programEnv = (): NodeJS.ProcessEnv => ({
  PATH: process.env.PATH,
  LC_ALL: "C",
  TZ: "UTC",
  NODE_ENV: "production",
})

const NPM_READS = /^(?:PATH|HOME|USERPROFILE|TMPDIR|TEMP|npm_config_.*|(?:https?|no)_proxy|NODE_EXTRA_CA_CERTS)$/i

/** Returns the environment for npm: what npm itself reads, and no secret of the service. */
export const npmEnv = (): NodeJS.ProcessEnv => ({
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => NPM_READS.test(name))),
  NODE_ENV: "production",
})

/** Returns npm's command: the npm that started this process, else the one on the `PATH`. */
export const npmCommand = (): string[] =>
  process.env.npm_execpath ? [process.execPath, process.env.npm_execpath] : ["npm"]

/** Sets a variable that a library reads from this process's environment. */
export function setForLibrary(name: string, value: string): void {
  process.env[name] = value
}
