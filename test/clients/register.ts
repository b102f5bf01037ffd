/** The placeholder of a key in `set`. That of the address is `{{base_url}}`. */
export const KEY = "svcd_…"

/** The files of `test/clients` that pin packages of PyPI. Some packages need older versions of others. */
export const LOCKS = ["packages.txt", "older-sdk-packages.txt"] as const

/** A client of another API, and how it is pointed at this service. */
export interface ClientPackage {
  name: string
  version: string
  /** The lock file that installs it, by default the first, or npm. */
  from?: (typeof LOCKS)[number] | "npm"
  /** The variables that its users set. */
  set: Record<string, string>
  /** The arguments or settings that its users pass in code, because no variable holds them. */
  inCode?: Record<string, string>
  /** The file of `programs` that uses it, when not named after it. */
  program?: string
  /** The last line that the program prints with the built-in scorer. */
  prints: string
  /** Whether `npm run test:slow` runs it too. */
  isSlow?: boolean
}

const TYPESAFE = { TYPESAFE_BASE_URL: "{{base_url}}", TYPESAFE_API_KEY: KEY }
const ENDPOINT = "{{base_url}}/v1/systemone"

/** The packages that programs of the tests run. */
export const CLIENTS: readonly ClientPackage[] = [
  { name: "typesafe-sdk", version: "0.7.5", set: TYPESAFE, prints: "0.91", isSlow: true },
  { name: "@typesafe-ai/sdk", version: "0.6.0", from: "npm", set: TYPESAFE, prints: "0.91", isSlow: true },
  {
    name: "litellm",
    version: "1.108.7",
    set: { TYPESAFE_API_BASE: "{{base_url}}", TYPESAFE_API_KEY: KEY },
    prints: "0.91",
    isSlow: true,
  },
  {
    name: "perplexityai",
    version: "0.46.1",
    set: { PERPLEXITY_BASE_URL: "{{base_url}}", PERPLEXITY_API_KEY: KEY },
    prints: "0.91",
  },
  { name: "langchain-typesafe", version: "0.0.1a3", set: TYPESAFE, prints: "0.91" },
  { name: "langgraph-jev", version: "0.1.0", set: TYPESAFE, prints: "refund" },
  { name: "typesafe-haystack", version: "0.1.1", set: TYPESAFE, prints: "0.91" },
  { name: "agent-framework-typesafe", version: "1.0.0a261015", set: TYPESAFE, prints: "0.91" },
  { name: "llama-index-postprocessor-jev", version: "0.1.1", set: TYPESAFE, prints: "The Eiffel Tower is in Paris." },
  { name: "llama-index-selectors-jev", version: "0.1.1", set: TYPESAFE, prints: "[1]" },
  {
    name: "livekit-plugins-typesafe",
    version: "1.8.9",
    set: { TYPESAFE_API_KEY: KEY },
    inCode: { endpoint: ENDPOINT },
    prints: "0.91",
  },
  {
    name: "composio-typesafe",
    version: "0.30.0",
    from: "older-sdk-packages.txt",
    set: TYPESAFE,
    prints: "call ORDERS_REFUND",
  },
  { name: "judgements", version: "0.2.1", set: TYPESAFE, prints: "0.91" },
  { name: "semantic-operators", version: "0.12.0", set: TYPESAFE, prints: "0.91" },
  { name: "pydecide", version: "0.2.19", set: { ...TYPESAFE, DECIDE_BACKENDS: "typesafe" }, prints: "0.91" },
  {
    name: "system-one",
    version: "0.4.0",
    set: { SYSTEM_ONE_BASE_URL: "{{base_url}}", SYSTEM_ONE_API_KEY: KEY },
    prints: "0.91",
  },
  {
    name: "sq-system-one",
    version: "0.1.1",
    set: { SQ_BASE_URL: "{{base_url}}", TYPESAFE_API_KEY: KEY, SQ_PROVIDER: "jev" },
    prints: "0.91",
  },
  { name: "jevzilla", version: "0.1.0", set: { TYPESAFE_API_KEY: KEY }, inCode: { url: ENDPOINT }, prints: "0.91" },
  { name: "jev-pandas", version: "0.1.1", set: TYPESAFE, prints: "0.91 0.22" },
  { name: "jevframe", version: "0.1.0", set: TYPESAFE, prints: "0.91 0.22" },
  { name: "jev-table", version: "0.1.1", set: TYPESAFE, prints: "0.91 0.22" },
  {
    name: "jev-grep",
    version: "0.6.0",
    set: { JEV_URL: ENDPOINT, TYPESAFE_API_KEY: KEY },
    prints: "Please refund me.",
  },
  {
    name: "sqljev",
    version: "0.1.0",
    set: { SQLJEV_BACKEND: "jev", SQLJEV_API_URL: ENDPOINT, TYPESAFE_API_KEY: KEY },
    prints: "25 0.43 0.41",
  },
  {
    name: "scrapy-jev",
    version: "0.1.0",
    set: { JEV_API_KEY: KEY },
    inCode: { JEV_BASE_URL: ENDPOINT, JEV_MODEL: "jev-latest" },
    prints: "2 finished",
  },
  { name: "pytest-jev", version: "0.1.0", set: TYPESAFE, prints: "passed" },
  { name: "jevassert", version: "0.2.1", from: "older-sdk-packages.txt", set: TYPESAFE, prints: "0.91" },
  { name: "jevcheck", version: "0.2.2", set: TYPESAFE, prints: "0.91" },
  {
    name: "jevlint",
    version: "1.3.0",
    set: TYPESAFE,
    prints: "3 errors, 4 warnings, 4 advice · 3 calls, 3,600 tokens",
  },
  { name: "second-thought", version: "0.1.0", set: TYPESAFE, prints: "0.91" },
  {
    name: "jev-mcp-server",
    version: "0.2.3",
    from: "older-sdk-packages.txt",
    set: { JEVMCP_BASE_URL: ENDPOINT, TYPESAFE_API_KEY: KEY },
    prints: "0.22",
  },
  {
    name: "system-one[http,mcp]",
    version: "0.4.0",
    set: { SYSTEM_ONE_BASE_URL: "{{base_url}}", SYSTEM_ONE_API_KEY: KEY, SYSTEM_ONE_MODEL: "jev-latest" },
    program: "system_one_mcp",
    prints: "0.91",
  },
]

const OLD_PYTHON = (minimum: string) => `Not tested: it needs Python ${minimum}, and our tests have 3.11`
const FIXED_ADDRESS = "Cannot be used: its code has a fixed address"

interface NotRun {
  name: string
  version: string
  reason: string
}

/** The packages that the tests do not run, each with the reason. */
export const NOT_RUN: readonly NotRun[] = [
  { name: "jevclient", version: "1.3.1", reason: OLD_PYTHON("3.12") },
  { name: "judgevet", version: "0.23.0", reason: OLD_PYTHON("3.12") },
  { name: "judgetap", version: "0.3.0", reason: OLD_PYTHON("3.12") },
  { name: "jevq", version: "0.1.0", reason: OLD_PYTHON("3.12") },
  { name: "launchdarkly-ai-typesafe", version: "0.1.1", reason: OLD_PYTHON("3.12") },
  { name: "logit-classifier", version: "0.5.0", reason: OLD_PYTHON("3.12") },
  { name: "jev-cli", version: "0.7.0", reason: OLD_PYTHON("3.13") },
  { name: "typesafe-unofficial-cli", version: "1.2.0", reason: OLD_PYTHON("3.14") },
  { name: "llm-typesafe", version: "0.1a0", reason: FIXED_ADDRESS },
  { name: "sqlite-utils-jev", version: "0.1.0", reason: FIXED_ADDRESS },
  {
    name: "instinct-ai",
    version: "0.2.0",
    reason: "Cannot be used: it reads no `answers`, so every answer is its default",
  },
]

/** Returns a table of the docs: clients that the tests run, and others. */
export function clientsTable(clients: readonly ClientPackage[], notRun: readonly NotRun[] = []): string {
  const code = (entries: Record<string, string>) =>
    Object.entries(entries).map(([name, value]) => (value === KEY ? `\`${name}\`` : `\`${name}=${value}\``))
  const run = clients.map(({ name, version, set, inCode = {} }) => {
    const passed = code(inCode)
    const settings = [code(set).join(", "), ...(passed.length ? [`in code ${passed.join(", ")}`] : [])]
    return `| \`${name}\` | ${version} | ${settings.join("; ")} | Works |`
  })
  const others = notRun.map(({ name, version, reason }) => `| \`${name}\` | ${version} | | ${reason} |`)
  return ["| Package | Version | Set | Result |", "|---|---|---|---|", ...run, ...others].join("\n")
}

/** The servers of the docs, by their names there, each with the command that runs it. */
const MCP_SERVERS = {
  jev: { client: "jev-mcp-server", command: "jev-mcp-server" },
  "system-one": { client: "system-one[http,mcp]", command: "system-one-mcp" },
}

/** Returns the settings of MCP servers in the docs. */
export function mcpSettings(): string {
  const servers = Object.entries(MCP_SERVERS).map(([name, { client, command }]) => {
    const [found] = CLIENTS.filter((one) => one.name === client)
    if (!found) throw new Error(`the register has no ${client}`)
    const args = ["--from", `${client}==${found.version}`, command]
    return [name, { command: "uvx", args, env: found.set }]
  })
  return JSON.stringify({ mcpServers: Object.fromEntries(servers) }, null, 2)
}
