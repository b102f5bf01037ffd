import { writeFileSync } from "node:fs"
import path from "node:path"
import { describe, expect, it } from "vitest"
import { tempFolder } from "@/test/temp-folder"
import { BadSetting, readEnv, unknownSettings } from "./env"
import { SECRETS, Settings } from "./settings"

const OIDC = {
  SIGN_IN: "oidc",
  OIDC_ISSUER: "https://id.example.com",
  OIDC_CLIENT_ID: "console",
  OIDC_CLIENT_SECRET: "secret",
}
const GROUPS = {
  ...OIDC,
  OIDC_ROLE_CLAIM: "groups",
  OIDC_ACCOUNT: "acc_01k3tfa2c4e6g8j0m2p4r6t8v0",
  OIDC_ROLES: "cn=engineers=developer, finance = billing",
}

const PUBLIC = {
  CONSOLE_URL: "https://decide.example",
  AUTH_SECRET: "x".repeat(32),
  EMAIL_SERVER: "smtp://mail.example",
  EMAIL_FROM: "a@b.example",
}

describe("settings", () => {
  it("have defaults that start the service on this machine", () => {
    const env = readEnv({})
    expect(env).toMatchObject({
      PORT: 3000,
      HOST: "127.0.0.1",
      SERVE: "all",
      CONSOLE_URL: "http://localhost:3000",
      isLoopback: true,
    })
    expect(env.WELCOME_CREDIT_USD).toBe(1_000_000_000_000n)
  })

  it.each([
    ["DATABASE_URL", "postgres://svc@db.example/svc"],
    ["AUTH_SECRET", "x".repeat(32)],
    ["STRIPE_SECRET_KEY", "sk_test_1"],
    ["METRICS_TOKEN", "t"],
  ])("take the secret %s from a file, without the line break at its end", (name, value) => {
    const file = path.join(tempFolder(), "secret")
    writeFileSync(file, `${value}\n`)
    expect(readEnv({ [`${name}_FILE`]: file })).toMatchObject({ [name]: value })
    expect(unknownSettings({ [`${name}_FILE`]: file })).toEqual([])
  })

  it("may be in a file if they hold a secret, and otherwise not", () => {
    const holdSecrets = Object.keys(Settings.shape).filter((name) => /SECRET|KEY$|TOKEN$|PASSWORD/.test(name))
    expect(holdSecrets.filter((name) => !SECRETS.includes(name))).toEqual([])
    expect(holdSecrets.length).toBeGreaterThan(5)
    expect(unknownSettings({ ENGINE_MODEL_FILE: "x" })).toEqual(["ENGINE_MODEL_FILE"])
  })

  it("refuse a data folder whose share is not mounted, which has a marker file", () => {
    const folder = tempFolder()
    expect(readEnv({ DATA_DIR: folder }).DATA_DIR).toBe(folder)
    writeFileSync(path.join(folder, ".not-mounted"), "")
    expect(() => readEnv({ DATA_DIR: folder })).toThrow("DATA_DIR has a file .not-mounted: mount its share")
  })

  it("serve the API at the console's address by default", () => {
    expect(readEnv(PUBLIC).BASE_URL).toBe("https://decide.example")
    expect(readEnv({ ...PUBLIC, BASE_URL: "https://api.example" }).BASE_URL).toBe("https://api.example")
  })

  it("give no welcome credit on a public address by default", () => {
    expect(readEnv(PUBLIC).WELCOME_CREDIT_USD).toBe(0n)
    expect(readEnv({ ...PUBLIC, WELCOME_CREDIT_USD: "0.25" }).WELCOME_CREDIT_USD).toBe(250_000_000_000n)
  })

  it("open the examples to visitors without an account on this machine only, unless the operator decides", () => {
    const isOpen = (settings: Record<string, string>) => readEnv(settings).isTryOpen
    expect([isOpen({}), isOpen(PUBLIC)]).toEqual([true, false])
    expect([isOpen({ TRY_WITHOUT_ACCOUNT: "0" }), isOpen({ ...PUBLIC, TRY_WITHOUT_ACCOUNT: "1" })]).toEqual([
      false,
      true,
    ])
  })

  it.each([
    [{ PORT: "http" }, "PORT must be a number"],
    [{ PORT: "70000" }, "PORT must be 65535 or less"],
    [{ SERVE: "both" }, "SERVE must be all, api or console"],
    [{ CONSOLE_URL: "example.com" }, "CONSOLE_URL must be an http or https URL"],
    [
      { CONSOLE_URL: "http://localhost:3000/console" },
      "CONSOLE_URL must be an address without a path, such as https://decide.example.com",
    ],
    [{ BACKUP_URL: "https://bucket/prefix" }, "BACKUP_URL must be s3://BUCKET or s3://BUCKET/PREFIX"],
    [{ BACKUP_URL: "s3://bucket/prefix" }, "AWS_ACCESS_KEY_ID is required with BACKUP_URL"],
    [
      { BACKUP_URL: "s3://bucket", BACKUP_DIR: "/backups", AWS_ACCESS_KEY_ID: "a", AWS_SECRET_ACCESS_KEY: "b" },
      "BACKUP_DIR must be empty with BACKUP_URL: backups go to one of them",
    ],
    [{ BACKUP_KEY: "age1canary" }, "BACKUP_KEY must be one age identity, AGE-SECRET-KEY-1…"],
    [{ BACKUP_KEY_FILE: "/nowhere/canary" }, "BACKUP_KEY_FILE must be a file that can be read"],
    [{ BACKUP_KEY: "x", BACKUP_KEY_FILE: "y" }, "BACKUP_KEY must be empty with BACKUP_KEY_FILE"],
    [{ DRAIN_S: "301" }, "DRAIN_S must be 300 or less"],
    [{ EVALUATE_RATE: "0" }, "EVALUATE_RATE must be 1 or more"],
    [{ LABEL_MASS_MIN: "1.5" }, "LABEL_MASS_MIN must be 1 or less"],
    [{ LABEL_MASS_MIN: "half" }, "LABEL_MASS_MIN must be a number"],
    [{ DATABASE_URL: "mysql://x" }, "DATABASE_URL must be a postgres:// URL"],
    [{ API_WORKERS: "0" }, "API_WORKERS must be auto or a whole number from 1 to 64"],
    [{ API_WORKERS: "-1" }, "API_WORKERS must be auto or a whole number from 1 to 64"],
    [{ API_WORKERS: "65" }, "API_WORKERS must be auto or a whole number from 1 to 64"],
    [{ API_WORKERS: "1.5" }, "API_WORKERS must be auto or a whole number from 1 to 64"],
    [{ API_WORKERS: "abc" }, "API_WORKERS must be auto or a whole number from 1 to 64"],
    [
      { API_WORKERS: "2", SERVE: "console", DATABASE_URL: "postgres://d" },
      "API_WORKERS must be empty with SERVE=console, which serves no API",
    ],
    [{ DATABASE_POOL: "1" }, "DATABASE_POOL must be 2 or more"],
    [{ AUTH_SECRET_PREVIOUS: "short" }, "AUTH_SECRET_PREVIOUS must have 32 characters or more"],
    [{ AUTO_MIGRATE: "yes" }, "AUTO_MIGRATE must be 0 or 1"],
    [{ ALLOW_NEWER_SCHEMA: "true" }, "ALLOW_NEWER_SCHEMA must be 0 or 1"],
    [{ WELCOME_CREDIT_USD: "lots" }, "WELCOME_CREDIT_USD must be an amount in USD, such as 5 or 0.50"],
    [{ OPERATOR_EMAILS: "ada@example.com,grace" }, "OPERATOR_EMAILS must be e-mail addresses separated by commas"],
    [{ OPERATOR_LOOKS: "no" }, "OPERATOR_LOOKS must be shown or hidden"],
    [{ OPERATOR_EMAILS: "ada@example.com," }, "OPERATOR_EMAILS must be e-mail addresses separated by commas"],
    [{ ACCOUNT_RATE: "0" }, "ACCOUNT_RATE must be 1 or more"],
    [{ KEY_RATE: "fast" }, "KEY_RATE must be a number"],
    [{ ACCOUNT_BUDGET_USD: "0" }, "ACCOUNT_BUDGET_USD must be more than 0"],
    [{ ACCOUNT_BUDGET_USD: "lots" }, "ACCOUNT_BUDGET_USD must be an amount in USD, such as 5 or 0.50"],
    [{ SIGN_UP: "closed" }, "SIGN_UP must be open, domains, invited or off"],
    [{ SIGN_UP: "domains" }, "SIGN_UP_DOMAINS is required with SIGN_UP=domains"],
    [{ SIGN_UP_DOMAINS: "example.com" }, "SIGN_UP_DOMAINS must be empty without SIGN_UP=domains"],
    [
      { SIGN_UP: "domains", SIGN_UP_DOMAINS: "example.com, @example.org" },
      "SIGN_UP_DOMAINS must be domains separated by commas, such as example.com",
    ],
    [{ SIGN_IN: "password" }, "SIGN_IN must be link, oidc or link,oidc"],
    [{ SIGN_IN: "oidc" }, "OIDC_ISSUER is required with oidc in SIGN_IN"],
    [{ OIDC_CLIENT_ID: "console" }, "OIDC_CLIENT_ID must be empty without oidc in SIGN_IN"],
    [{ SIGN_IN: "oidc", OIDC_ISSUER: "http://id.example.com" }, "OIDC_ISSUER must be an https URL"],
    [{ SIGN_IN: "oidc", OIDC_ISSUER: "https://id.example.com?a=b" }, "OIDC_ISSUER must be an address without a query"],
    [{ SERVE: "api" }, "DATABASE_URL is required with SERVE=api"],
    [{ CONSOLE_URL: "https://decide.example" }, "AUTH_SECRET is required when CONSOLE_URL is not this machine"],
    [
      { CONSOLE_URL: "https://decide.example", AUTH_SECRET: "x".repeat(32) },
      "EMAIL_SERVER is required when CONSOLE_URL is not this machine",
    ],
    [
      { ...PUBLIC, STRIPE_SECRET_KEY: "sk_live_x" },
      "STRIPE_WEBHOOK_SECRET is required when CONSOLE_URL is not this machine",
    ],
    [
      { ...PUBLIC, STRIPE_API_BASE: "http://127.0.0.1:4242" },
      "STRIPE_API_BASE is only allowed when CONSOLE_URL is this machine: it replaces Stripe by a test double",
    ],
    [{ STRIPE_SECRET_KEY: "pk_live_x" }, "STRIPE_SECRET_KEY must be sk_live_…, sk_test_… or a restricted key rk_…"],
    [
      { STRIPE_WEBHOOK_SECRET: "whsec_a,whsec_b,whsec_c" },
      "STRIPE_WEBHOOK_SECRET must be whsec_… or two of them separated by a comma",
    ],
    [{ TOPUP_MIN_USD: "0.49" }, "TOPUP_MIN_USD must be 0.50 or more, which is Stripe's minimum"],
    [{ TOPUP_MIN_USD: "10", TOPUP_MAX_USD: "9.99" }, "TOPUP_MAX_USD must not be below TOPUP_MIN_USD"],
    [{ TRY_WITHOUT_ACCOUNT: "yes" }, "TRY_WITHOUT_ACCOUNT must be 0 or 1"],
    [{ STRIPE_AUTOMATIC_TAX: "yes" }, "STRIPE_AUTOMATIC_TAX must be on or off"],
    [{ ENGINE_TOKENIZER: "/nowhere/at/all" }, "ENGINE_TOKENIZER must be a folder that exists"],
    [{ ENGINE_KIND: "vllm" }, "ENGINE_KIND must be system-one or labels"],
    [
      { ENGINE_KIND: "labels", ENGINE_TOKENIZER: "." },
      "ENGINE_TOKENIZER must be empty with ENGINE_KIND=labels: the engine counts tokens",
    ],
    [{ ENGINE_GGUF: "/nowhere/model.gguf" }, "ENGINE_GGUF must be a file that exists"],
    [
      { ENGINE_GGUF: "hf:model" },
      "ENGINE_GGUF must be a file, hf:OWNER/REPO, hf:OWNER/REPO:FILE or hf:OWNER/REPO@COMMIT:FILE with all 40 digits of the commit",
    ],
    [
      { ENGINE_GGUF: "hf:../..:x.gguf" },
      "ENGINE_GGUF must be a file, hf:OWNER/REPO, hf:OWNER/REPO:FILE or hf:OWNER/REPO@COMMIT:FILE with all 40 digits of the commit",
    ],
    [
      { ENGINE_GGUF: "hf:a/b@main:x.gguf" },
      "ENGINE_GGUF must be a file, hf:OWNER/REPO, hf:OWNER/REPO:FILE or hf:OWNER/REPO@COMMIT:FILE with all 40 digits of the commit",
    ],
    [
      { ENGINE_GGUF: "hf:a/b:../../x.gguf" },
      "ENGINE_GGUF must be a file, hf:OWNER/REPO, hf:OWNER/REPO:FILE or hf:OWNER/REPO@COMMIT:FILE with all 40 digits of the commit",
    ],
    [
      { ENGINE_GGUF: "hf:a/b", ENGINE_URL: "http://127.0.0.1:8080" },
      "ENGINE_GGUF must be empty with ENGINE_URL: the service starts an engine or connects to one",
    ],
    [{ ENGINE_ID: "kev-4b" }, "ENGINE_ID names the model at ENGINE_URL, which is not set"],
    [
      { ENGINE_URL: "http://127.0.0.1:8080", ENGINE_ID: "Kev 4B" },
      "ENGINE_ID must have only lower-case letters, digits, '.', '_' and '-'",
    ],
    [
      { ENGINE_URL: "http://127.0.0.1:8080", ENGINE_ID: "svc-decider-latest" },
      "ENGINE_ID must not be an id that the service uses itself",
    ],
    [{ ENGINE_GGUF: "hf:a/b", ENGINE_MODEL: "b" }, "ENGINE_MODEL must be empty with ENGINE_GGUF"],
    [
      { ENGINE_GGUF: "hf:a/b", ENGINE_KIND: "labels" },
      "ENGINE_KIND must be empty with ENGINE_GGUF: the file says what it is",
    ],
    [{ ENGINE_GPU: "rocm" }, "ENGINE_GPU must be cuda, vulkan or metal"],
    [{ ENGINE_THREADS: "0" }, "ENGINE_THREADS must be 1 or more"],
  ])("stop the start with one line that names the bad setting: %o", (source, line) => {
    expect(() => readEnv(source)).toThrow(new BadSetting(line))
  })
})

it("variables that look like settings but are none are found, and those of other programs are not", () => {
  const ours = {
    DATABASE_ULR: "",
    DATBASE_URL: "",
    SVC_PORT_NUMBER: "",
    LOG_LEVELS: "",
    BASE_URLL: "",
    ENGINE_TIMEOUT: "",
  }
  const others = {
    PORT: "1",
    PATH: "",
    HOME: "",
    LOGNAME: "",
    SVC_API_KEY: "",
    POSTGRES_PASSWORD: "",
    NODE_OPTIONS: "",
  }
  const kubernetes = {
    ENGINE_SERVICE_HOST: "",
    ENGINE_PORT: "",
    ENGINE_PORT_8080_TCP_ADDR: "",
    ENGINE_SERVICE_PORT_HTTP: "",
  }
  expect(unknownSettings({ ...ours, ...others, ...kubernetes })).toEqual([
    "BASE_URLL",
    "DATABASE_ULR",
    "DATBASE_URL",
    "ENGINE_TIMEOUT",
    "LOG_LEVELS",
    "SVC_PORT_NUMBER",
  ])
})

it("reads operators without regard to case and space, and has none by default", () => {
  expect([...readEnv({ OPERATOR_EMAILS: " Ada@Example.com, grace@example.com" }).OPERATOR_EMAILS]).toEqual([
    "ada@example.com",
    "grace@example.com",
  ])
  expect(readEnv({}).OPERATOR_EMAILS.size).toBe(0)
})

describe("the accounts of domains", () => {
  const account = "acc_01k3tfa2c4e6g8j0m2p4r6t8v0"
  const shape = "SIGN_UP_ACCOUNTS must be domain=acc_…:role,… with the roles developer, billing, viewer"

  it.each([
    [account, shape],
    [`example.com=${account}`, shape],
    [`example.com=${account}:owner`, shape],
    ["example.com=acme:viewer", shape],
    [`@example.com=${account}:viewer`, shape],
    [`example.com=${account}:viewer,`, shape],
    [`a.example=${account}:viewer,A.example=${account}:billing`, "SIGN_UP_ACCOUNTS must name each domain once"],
  ])("stop the start with one line: %s", (SIGN_UP_ACCOUNTS, line) => {
    expect(() => readEnv({ SIGN_UP_ACCOUNTS })).toThrow(new BadSetting(line))
  })

  it("are another account than that of the groups", () => {
    expect(() => readEnv({ ...GROUPS, SIGN_UP_ACCOUNTS: `example.com=${account}:viewer` })).toThrow(
      new BadSetting("SIGN_UP_ACCOUNTS must not name the account of OIDC_ACCOUNT, whose members the groups decide"),
    )
  })

  it("are read without regard to case and space, and there are none by default", () => {
    const { SIGN_UP_ACCOUNTS } = readEnv({
      SIGN_UP_ACCOUNTS: ` Example.com=${account}:viewer , b.example=${account}:billing`,
    })
    expect([...SIGN_UP_ACCOUNTS].map(([domain, { role }]) => [domain, role])).toEqual([
      ["example.com", "viewer"],
      ["b.example", "billing"],
    ])
    expect(readEnv({}).SIGN_UP_ACCOUNTS.size).toBe(0)
  })
})

describe("the settings of roles from groups", () => {
  const roles = "must be group=role,… with the roles developer, billing, viewer, such as engineers=developer"

  it.each([
    [{ ...OIDC, OIDC_SCOPES: "openid groups" }, "OIDC_SCOPES must contain openid and email"],
    [{ OIDC_ROLE_CLAIM: "groups" }, "OIDC_ROLE_CLAIM must be empty without oidc in SIGN_IN"],
    [{ ...OIDC, OIDC_ROLE_CLAIM: "groups" }, "OIDC_ACCOUNT is required with OIDC_ROLE_CLAIM"],
    [{ ...GROUPS, OIDC_ROLES: "" }, "OIDC_ROLES is required with OIDC_ROLE_CLAIM"],
    [{ ...GROUPS, OIDC_ROLE_CLAIM: "" }, "OIDC_ACCOUNT must be empty without OIDC_ROLE_CLAIM"],
    [{ ...GROUPS, OIDC_ACCOUNT: "acme" }, "OIDC_ACCOUNT must be the id of an account, acc_…"],
    [{ ...GROUPS, OIDC_ROLES: "engineers" }, `OIDC_ROLES ${roles}`],
    [{ ...GROUPS, OIDC_ROLES: "=developer" }, `OIDC_ROLES ${roles}`],
    [{ ...GROUPS, OIDC_ROLES: "engineers=developer," }, `OIDC_ROLES ${roles}`],
    [{ ...GROUPS, OIDC_ROLES: "bosses=owner" }, `OIDC_ROLES ${roles}`],
    [{ ...GROUPS, OIDC_ROLES: "a=viewer, a=billing" }, "OIDC_ROLES must name each group once"],
  ])("stop the start with one line: %o", (source, line) => {
    expect(() => readEnv(source)).toThrow(new BadSetting(line))
  })

  it("keep the order of the groups, whose names may contain an equals sign", () => {
    const { OIDC_ROLES, OIDC_SCOPES } = readEnv({ ...GROUPS, OIDC_SCOPES: " openid  email groups" })
    expect([...(OIDC_ROLES ?? [])]).toEqual([
      ["cn=engineers", "developer"],
      ["finance", "billing"],
    ])
    expect(OIDC_SCOPES).toBe("openid email groups")
  })
})
