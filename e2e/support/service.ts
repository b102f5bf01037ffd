import { type ChildProcess, execFile, spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import path from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { promisify } from "node:util"
import pg from "pg"
import PostalMime from "postal-mime"
import { freePort } from "../../test/free-port"

const READY_WITHIN_MS = 60_000
const run = promisify(execFile)

/** The built service as an operator starts it, on a data folder of its own. */
export class Service {
  #process: ChildProcess | null = null
  /** What the server has written to standard error. */
  printed = ""

  private constructor(
    readonly url: string,
    readonly dataDir: string,
    readonly settings: Record<string, string>,
  ) {}

  static async start(settings: Record<string, string> = {}): Promise<Service> {
    const port = await freePort()
    const dataDir = await mkdtemp(path.join(tmpdir(), "svcd-e2e-"))
    const service = new Service(`http://localhost:${port}`, dataDir, {
      PORT: String(port),
      DATA_DIR: dataDir,
      LOG_LEVEL: "error",
      ...settings,
    })
    await service.resume()
    return service
  }

  get environment(): NodeJS.ProcessEnv {
    return { PATH: process.env.PATH, NODE_ENV: "production", ...this.settings } as NodeJS.ProcessEnv
  }

  /** Starts the server process, again after a kill, and waits until it is ready. */
  async resume(): Promise<void> {
    const child = spawn(process.execPath, ["dist/server.js"], {
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

  /** Ends the server process with a signal and waits for it; answers its exit code, null after a kill. */
  async end(signal: NodeJS.Signals): Promise<number | null> {
    const child = this.#process
    if (!child || child.exitCode !== null || child.signalCode !== null) return null
    const ended = once(child, "exit")
    child.kill(signal)
    const [code] = await ended
    return code
  }

  /** The process id of the embedded PostgreSQL. */
  async postgresPid(): Promise<number> {
    return Number((await readFile(path.join(this.dataDir, "postgres/postmaster.pid"), "utf8")).split("\n")[0])
  }

  /** A statement on the embedded PostgreSQL: what only the passing of time would bring about. Answers its rows. */
  async sql<Row extends pg.QueryResultRow>(text: string, values: unknown[] = []): Promise<Row[]> {
    const [, , , port, host] = (await readFile(path.join(this.dataDir, "postgres/postmaster.pid"), "utf8")).split("\n")
    const client = new pg.Client({ host, port: Number(port), user: "svcd", database: "postgres" })
    await client.connect()
    const { rows } = await client.query<Row>(text, values)
    await client.end()
    return rows
  }

  /** Stops everything and removes the data folder. */
  async destroy(): Promise<void> {
    await this.end("SIGTERM")
    await rm(this.dataDir, { recursive: true, force: true })
  }

  /** One of the operator's commands with `--json`; rejects when it exits other than 0. */
  async operator<Result = Record<string, unknown>>(...args: string[]): Promise<Result> {
    const { stdout } = await run(process.execPath, ["dist/operator.js", ...args, "--json"], { env: this.environment })
    return JSON.parse(stdout) as Result
  }

  /** A new account with a balance and rates that no test runs into, and one key of it. */
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

  /** The newest mail to this address in the outbox. */
  async mailed(email: string): Promise<{ subject: string; text: string; html: string }> {
    const folder = path.join(this.dataDir, "outbox")
    for (let attempt = 0; attempt < 100; attempt++) {
      const names = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith(".eml"))
      for (const name of names.toSorted().toReversed()) {
        const mail = await PostalMime.parse(await readFile(path.join(folder, name)))
        if (mail.to?.some(({ address }) => address === email))
          return { subject: mail.subject ?? "", text: mail.text ?? "", html: mail.html ?? "" }
      }
      await sleep(50)
    }
    throw new Error("no mail arrived")
  }

  /** The link of the newest mail to this address in the outbox. */
  async mailedLink(email: string): Promise<string> {
    const { text } = await this.mailed(email)
    return /https?:\/\/\S+/.exec(text)?.[0] ?? ""
  }

  /** `POST /v1/decisions` with a key. */
  decide(key: string, body: unknown): Promise<Response> {
    return fetch(`${this.url}/v1/decisions`, {
      method: "POST",
      headers: { "content-type": "application/json", authorization: `Bearer ${key}` },
      body: JSON.stringify(body),
    })
  }
}
