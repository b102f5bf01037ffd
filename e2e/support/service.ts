import { type ChildProcess, execFile, spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import path from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { promisify } from "node:util"
import pg from "pg"
import PostalMime, { type Email } from "postal-mime"
import { outboxPath } from "@/lib/server/auth/outbox-access"
import { hashSessionToken, newSessionToken } from "@/lib/server/auth/session-cookie"
import { newId } from "@/lib/server/platform/ids"
import { freePort } from "@/test/free-port"
import { newDatabase } from "./database"
import type { InProcessOperator } from "./in-process-operator"
import { openOperator } from "./operator"

const READY_WITHIN_MS = 120_000
const run = promisify(execFile)

type Settings = Record<string, string>

export class Service {
  #process: ChildProcess | null = null
  #operator: InProcessOperator | null = null
  #dropDatabase = async () => {}
  /** The mails in the outbox by the name of their file. */
  readonly #mails = new Map<string, Email>()
  printed = ""

  private constructor(
    readonly url: string,
    readonly dataDir: string,
    readonly settings: Settings,
    private readonly root: string,
  ) {}

  /** Starts the service on a new database of the run's cluster, or on the one that `settings.DATABASE_URL` names. */
  static async start(settings: Settings = {}): Promise<Service> {
    if (settings.DATABASE_URL) return Service.#launch(settings)
    const { url, drop } = await newDatabase()
    const service = await Service.#launch({ DATABASE_URL: url, ...settings })
    service.#dropDatabase = drop
    return service
  }

  /** Starts the service in `root`, the project's folder or a packed one, with a PostgreSQL of its own. */
  static startEmbedded(settings: Settings = {}, root = "."): Promise<Service> {
    return Service.#launch(settings, root)
  }

  static async #launch(settings: Settings, root = "."): Promise<Service> {
    const port = settings.PORT ?? String(await freePort())
    const dataDir = await mkdtemp(path.join(tmpdir(), "svcd-e2e-"))
    const defaults = { PORT: port, DATA_DIR: dataDir, LOG_LEVEL: "error" }
    const service = new Service(`http://localhost:${port}`, dataDir, { ...defaults, ...settings }, root)
    await service.resume()
    return service
  }

  get environment(): NodeJS.ProcessEnv {
    return { PATH: process.env.PATH, NODE_ENV: "production", ...this.settings } as NodeJS.ProcessEnv
  }

  async resume(): Promise<void> {
    const child = spawn(process.execPath, ["dist/server.js"], {
      cwd: this.root,
      env: this.environment,
      stdio: ["ignore", "ignore", "pipe"],
    })
    this.#process = child
    child.stderr.pipe(process.stderr, { end: false })
    child.stderr.on("data", (text) => (this.printed += text))
    const deadline = Date.now() + READY_WITHIN_MS
    while (Date.now() < deadline) {
      if (child.exitCode !== null) throw new Error(`the server ended with ${child.exitCode}`)
      const ready = await fetch(`${this.url}/readyz`).then(
        (response) => response.ok,
        () => false,
      )
      if (ready) return
      await sleep(50)
    }
    throw new Error("the server did not become ready")
  }

  /** Ends the server process with a signal, waits for it and returns its exit code, null after a kill. */
  async end(signal: NodeJS.Signals): Promise<number | null> {
    const child = this.#process
    if (!child || child.exitCode !== null || child.signalCode !== null) return null
    const ended = once(child, "exit")
    child.kill(signal)
    const [code] = await ended
    return code
  }

  async postgresPid(): Promise<number> {
    return Number((await readFile(path.join(this.dataDir, "postgres/postmaster.pid"), "utf8")).split("\n")[0])
  }

  /** Returns the id of the process that renders the console. */
  async consolePid(): Promise<number> {
    const { stdout } = await run("pgrep", ["-P", String(this.#process?.pid), "-f", "console-process"])
    return Number(stdout.trim())
  }

  async sql<Row extends pg.QueryResultRow>(text: string, values: unknown[] = []): Promise<Row[]> {
    const client = new pg.Client({ connectionString: await this.#databaseUrl() })
    await client.connect()
    const { rows } = await client.query<Row>(text, values)
    await client.end()
    return rows
  }

  async #databaseUrl(): Promise<string> {
    if (this.settings.DATABASE_URL) return this.settings.DATABASE_URL
    const [, , , port, host] = (await readFile(path.join(this.dataDir, "postgres/postmaster.pid"), "utf8")).split("\n")
    return `postgres://svcd@localhost:${port}/postgres?${new URLSearchParams({ host: host ?? "" })}`
  }

  async destroy(): Promise<void> {
    await this.#operator?.close()
    await this.end("SIGTERM")
    await rm(this.dataDir, { recursive: true, force: true })
    await this.#dropDatabase()
  }

  /** Runs one of the operator's commands in this process and returns its JSON. Rejects when the command fails. */
  async operator<Result = Record<string, unknown>>(...args: string[]): Promise<Result> {
    const command = [...args, "--json"]
    if (this.settings.DATABASE_URL) {
      this.#operator ??= await openOperator(this.settings)
      return JSON.parse(await this.#operator.run(command)) as Result
    }
    // An embedded PostgreSQL may have another address after a test killed it.
    const operator = await openOperator({ ...this.settings, DATABASE_URL: await this.#databaseUrl() })
    const printed = await operator.run(command).finally(() => operator.close())
    return JSON.parse(printed) as Result
  }

  async operatorProcess<Result = Record<string, unknown>>(...args: string[]): Promise<Result> {
    const options = { cwd: this.root, env: this.environment }
    const { stdout } = await run(process.execPath, ["dist/operator.js", ...args, "--json"], options)
    return JSON.parse(stdout) as Result
  }

  /** Inserts a session for this address and returns its token. The address gets an account when it has none. */
  async createSession(
    email: string,
    { browser = "Chrome on Linux" }: { browser?: string | null } = {},
  ): Promise<string> {
    const find = () => this.sql<{ id: string }>("SELECT id FROM app_user WHERE email = $1", [email])
    if ((await find()).length === 0) await this.operator("account", "create", email)
    const [user] = await find()
    const token = newSessionToken()
    await this.sql(
      `INSERT INTO session (id, token_hash, user_id, expires_at, browser, client_address)
       VALUES ($1, $2, $3, now() + interval '30 days', $4, '127.0.0.1')`,
      [newId(), hashSessionToken(token), user?.id, browser],
    )
    return token
  }

  async createAccountWithKey(
    email: string,
    { balanceUsd = "10", keyArgs = [] as string[] } = {},
  ): Promise<{ key: string; keyId: string }> {
    await this.operator("account", "create", email)
    await this.operator("account", "credit", email, balanceUsd, "--note", "test")
    await this.operator("account", "limits", email, "--per-second", "100000", "--per-key", "100000")
    const { key, id } = await this.operator<{ key: string; id: string }>(
      "key",
      "create",
      email,
      "--name",
      "Test",
      ...keyArgs,
    )
    return { key, keyId: id }
  }

  /** Returns the address of the outbox that the server printed at start. */
  async outboxUrl(): Promise<string> {
    const AUTH_SECRET = this.settings.AUTH_SECRET ?? (await readFile(path.join(this.dataDir, "auth-secret"), "utf8"))
    return this.url + outboxPath({ AUTH_SECRET: AUTH_SECRET.trim() })
  }

  /** Returns the newest mail to this address in the outbox whose text contains `part`. Waits up to 30 seconds for it, then throws. */
  async mailed(email: string, part = ""): Promise<{ subject: string; text: string; html: string }> {
    const folder = path.join(this.dataDir, "outbox")
    // A job sends queued mails every five seconds.
    for (let attempt = 0; attempt < 600; attempt++) {
      const names = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith(".eml"))
      for (const name of names.toSorted().toReversed()) {
        const mail = this.#mails.get(name) ?? (await PostalMime.parse(await readFile(path.join(folder, name))))
        this.#mails.set(name, mail)
        if (mail.to?.some(({ address }) => address === email) && mail.text?.includes(part))
          return { subject: mail.subject ?? "", text: mail.text ?? "", html: mail.html ?? "" }
      }
      await sleep(50)
    }
    throw new Error("no mail arrived")
  }

  /** Returns the link of the newest sign-in or confirmation mail to this address. */
  async mailedLink(email: string): Promise<string> {
    const { text } = await this.mailed(email, "/sign-in/confirm#")
    return /https?:\/\/\S+/.exec(text)?.[0] ?? ""
  }

  decide(key: string, body: unknown, headers: Record<string, string> = {}): Promise<Response> {
    return fetch(`${this.url}/v1/decisions`, {
      method: "POST",
      headers: { "content-type": "application/json", authorization: `Bearer ${key}`, ...headers },
      body: JSON.stringify(body),
    })
  }
}
