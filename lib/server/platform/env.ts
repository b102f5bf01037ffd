import { readFileSync } from "node:fs"
import type { z } from "zod"
import { type Pico, parseUsd } from "@/lib/shared/money"
import { accentOf } from "./accent"
import { oidcFaults } from "./oidc-settings"
import { isLoopbackName } from "./own-origin"
import { SECRETS, Settings } from "./settings"
import type { DomainAccount } from "./sign-up-settings"

const SMALLEST_TOPUP = parseUsd("0.50") as Pico

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
  if (settings.ENGINE_ID && !settings.ENGINE_URL) refuse("ENGINE_ID", "names the model at ENGINE_URL, which is not set")
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
  if (settings.BACKUP_URL) {
    if (settings.BACKUP_DIR) refuse("BACKUP_DIR", "must be empty with BACKUP_URL: backups go to one of them")
    const { AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY } = settings
    const needed = Object.entries({ AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY })
    for (const [name, value] of needed) if (!value) refuse(name, "is required with BACKUP_URL")
  }
  if (settings.SIGN_UP === "domains" && !settings.SIGN_UP_DOMAINS)
    refuse("SIGN_UP_DOMAINS", "is required with SIGN_UP=domains")
  if (settings.SIGN_UP !== "domains" && settings.SIGN_UP_DOMAINS)
    refuse("SIGN_UP_DOMAINS", "must be empty without SIGN_UP=domains")
  for (const [name, fault] of oidcFaults(settings)) refuse(name, fault)
  if ([...(settings.SIGN_UP_ACCOUNTS?.values() ?? [])].some(({ accountId }) => accountId === settings.OIDC_ACCOUNT))
    refuse("SIGN_UP_ACCOUNTS", "must not name the account of OIDC_ACCOUNT, whose members the groups decide")
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
    SIGN_UP_DOMAINS: settings.SIGN_UP_DOMAINS ?? new Set<string>(),
    SIGN_UP_ACCOUNTS: settings.SIGN_UP_ACCOUNTS ?? new Map<string, DomainAccount>(),
    OPERATOR_EMAILS: settings.OPERATOR_EMAILS ?? new Set<string>(),
    EMAIL_FROM: settings.EMAIL_FROM ?? `"${settings.SERVICE_NAME.replaceAll(/["\\]/g, "")}" <no-reply@localhost>`,
    /** Null for the built-in colours. */
    accent: SERVICE_COLOR ? accentOf(SERVICE_COLOR, SERVICE_COLOR_DARK) : null,
    WELCOME_CREDIT_USD: settings.WELCOME_CREDIT_USD ?? (parseUsd(loopback ? "1" : "0") as Pico),
    isTryOpen: settings.TRY_WITHOUT_ACCOUNT === undefined ? loopback : settings.TRY_WITHOUT_ACCOUNT === "1",
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

/** Puts the content of files into the secrets that they hold. */
function withFiles(given: Record<string, string | undefined>): Record<string, string | undefined> {
  const read = SECRETS.flatMap((name) => {
    const file = given[`${name}_FILE`]
    if (file === undefined) return []
    if (given[name] !== undefined) throw new BadSetting(`${name} must be empty with ${name}_FILE`)
    try {
      return [[name, readFileSync(file, "utf8").trim()]]
    } catch {
      throw new BadSetting(`${name}_FILE must be a file that can be read`)
    }
  })
  return { ...given, ...Object.fromEntries(read) }
}

/** Other programs read these variables in lower case, too. */
const BOTH_CASES = ["HTTPS_PROXY", "NO_PROXY"]

/** Reads the settings, by default from the process's environment. An empty value counts as unset. Throws `BadSetting`. */
export function readEnv(source: Record<string, string | undefined> = process.env): Env {
  const given = Object.fromEntries(Object.entries(source).filter(([, value]) => value !== ""))
  for (const name of BOTH_CASES) given[name] ??= given[name.toLowerCase()]
  const result = Env.safeParse(withFiles(given))
  if (result.success) return result.data
  const [issue] = result.error.issues
  throw new BadSetting(`${issue?.path.join(".")} ${issue?.message}`)
}

/** Prefixes of this service's settings that few other programs use. */
const OURS =
  /^(?:SVC|DATABASE|ENGINE|EMAIL|STRIPE|TOPUP|METRICS|RETENTION|TRUSTED|WELCOME|HSTS|ACCOUNT|SIGN_IN|SIGN_UP|OIDC|DRAIN|CONSOLE)_/
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
  const known = [...Object.keys(Settings.shape), ...SECRETS.map((name) => `${name}_FILE`)]
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
  ...Object.fromEntries(Object.entries(withFiles(process.env)).filter(([name]) => NPM_READS.test(name))),
  NODE_ENV: "production",
})

/** Returns npm's command: the npm that started this process, else the one on the `PATH`. */
export const npmCommand = (): string[] =>
  process.env.npm_execpath ? [process.execPath, process.env.npm_execpath] : ["npm"]

/** Sets a variable that a library reads from this process's environment. */
export function setForLibrary(name: string, value: string): void {
  process.env[name] = value
}
