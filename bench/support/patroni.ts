import { type ChildProcess, spawn } from "node:child_process"
import { existsSync, readFileSync } from "node:fs"
import { chmod, chown, mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import path from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { commandAs, postgresUser } from "@/lib/server/platform/db/os-user"
import { freePort } from "../../test/free-port"
import { descendantsOf } from "./machine"
import { own, stop, untilReady } from "./processes"

const NODES = ["a", "b", "c"]
const DEBIAN = "/usr/lib/postgresql"
const PROGRAMS = {
  patroni: "/usr/bin/patroni",
  "etcd-server": "/usr/bin/etcd",
  haproxy: "/usr/sbin/haproxy",
  postgresql: DEBIAN,
}
const HEALTHY_WITHIN_MS = 180_000

/** One server of the cluster: Patroni, with the PostgreSQL that it runs. */
interface Node {
  name: string
  port: number
  restPort: number
  folder: string
  child: ChildProcess | null
}

interface Member {
  name: string
  role: string
  state: string
  lag?: number | "unknown"
}

const asPostgres = (folder: string, command: string, args: string[]): ChildProcess => {
  const [program, line] = commandAs(postgresUser(), command, args)
  return own(spawn(program, line, { cwd: folder, stdio: "ignore" }))
}

/** The settings of docs/scaling.md, with the smallest `ttl` that Patroni takes. */
const patroniOf = ({ name, port, restPort, folder }: Node, etcdPort: number, bin: string): string => `
scope: decisions
name: ${name}
restapi: { listen: "127.0.0.1:${restPort}", connect_address: "127.0.0.1:${restPort}" }
etcd3: { host: "127.0.0.1:${etcdPort}" }
bootstrap:
  dcs:
    ttl: 20
    loop_wait: 3
    retry_timeout: 5
    synchronous_mode: true
    postgresql:
      use_pg_rewind: true
      parameters: { max_connections: 100, shared_buffers: 64MB, wal_keep_size: 512MB }
  initdb: [{ encoding: UTF8 }, { locale: C.UTF-8 }, data-checksums]
postgresql:
  listen: "127.0.0.1:${port}"
  connect_address: "127.0.0.1:${port}"
  data_dir: ${folder}/data
  bin_dir: ${bin}
  pgpass: ${folder}/pgpass
  pg_hba: ["local all all trust", "host all all 127.0.0.1/32 trust", "host replication all 127.0.0.1/32 trust"]
  parameters: { unix_socket_directories: "${folder}" }
  authentication:
    superuser: { username: postgres, password: of-a-benchmark }
    replication: { username: replicator, password: of-a-benchmark }
`

/** HAProxy asks Patroni which server is the primary, and ends connections to a server that no longer is. */
const haproxyOf = (port: number, nodes: Node[]): string => `
global
  maxconn 400
defaults
  mode tcp
  retries 2
  timeout connect 2s
  timeout check 2s
  timeout client 30m
  timeout server 30m
listen primary
  bind 127.0.0.1:${port}
  option httpchk OPTIONS /primary
  http-check expect status 200
  default-server inter 1s fall 2 rise 1 on-marked-down shutdown-sessions
${nodes.map(({ name, port: to, restPort }) => `  server ${name} 127.0.0.1:${to} check port ${restPort}`).join("\n")}
`

/** Returns Patroni and all processes of its PostgreSQL, which does not descend from it. */
function processesOf({ child, folder }: Node): number[] {
  const file = path.join(folder, "data/postmaster.pid")
  const postmaster = existsSync(file) ? Number(readFileSync(file, "utf8").split("\n")[0]) : 0
  return [child?.pid ?? 0, postmaster].filter((pid) => pid > 0).flatMap(descendantsOf)
}

/** Returns the names of the Debian packages that are missing. */
export const missingPackages = (): string[] =>
  Object.entries(PROGRAMS).flatMap(([name, file]) => (existsSync(file) ? [] : [name]))

async function newestPostgres(): Promise<string> {
  const [newest] = (await readdir(DEBIAN)).sort((a, b) => Number(b) - Number(a))
  return path.join(DEBIAN, newest ?? "", "bin")
}

async function openFolder(): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), "svcd-failover-"))
  const user = postgresUser()
  if (user) await chown(folder, user.uid, user.gid)
  await chmod(folder, 0o700)
  return folder
}

async function newNode(root: string, name: string): Promise<Node> {
  const folder = path.join(root, name)
  await mkdir(folder, { mode: 0o700 })
  const user = postgresUser()
  if (user) await chown(folder, user.uid, user.gid)
  return { name, folder, port: await freePort(), restPort: await freePort(), child: null }
}

async function startEtcd(folder: string, port: number): Promise<ChildProcess> {
  const url = `http://127.0.0.1:${port}`
  const peers = `http://127.0.0.1:${await freePort()}`
  const etcd = asPostgres(folder, PROGRAMS["etcd-server"], [
    ...["--data-dir", path.join(folder, "etcd"), "--listen-client-urls", url, "--advertise-client-urls", url],
    ...["--listen-peer-urls", peers, "--initial-advertise-peer-urls", peers, "--initial-cluster", `default=${peers}`],
  ])
  await untilReady(`${url}/health`, etcd)
  return etcd
}

const isHealthy = (members: Member[]): boolean => {
  const standbys = members.filter(({ role }) => role !== "leader")
  return (
    members.some(({ role, state }) => role === "leader" && state === "running") &&
    standbys.length === NODES.length - 1 &&
    standbys.every(({ state, lag }) => ["running", "streaming"].includes(state) && lag === 0) &&
    standbys.some(({ role }) => role === "sync_standby")
  )
}

/** Three PostgreSQL servers under Patroni with synchronous replication, and HAProxy, which leads to the primary. */
export class PatroniCluster {
  private constructor(
    private readonly root: string,
    private readonly nodes: Node[],
    private readonly etcd: ChildProcess,
    private readonly haproxy: ChildProcess,
    /** The address of the primary through HAProxy. */
    readonly url: string,
  ) {}

  /** Starts the cluster, and waits until it is healthy. Needs the Debian packages of `missingPackages`. */
  static async start(): Promise<PatroniCluster> {
    const [root, bin, etcdPort, port] = await Promise.all([openFolder(), newestPostgres(), freePort(), freePort()])
    const nodes: Node[] = []
    for (const name of NODES) {
      const node = await newNode(root, name)
      await writeFile(path.join(node.folder, "patroni.yml"), patroniOf(node, etcdPort, bin), { mode: 0o644 })
      nodes.push(node)
    }
    await writeFile(path.join(root, "haproxy.cfg"), haproxyOf(port, nodes), { mode: 0o644 })
    const etcd = await startEtcd(root, etcdPort)
    const haproxy = asPostgres(root, PROGRAMS.haproxy, ["-db", "-f", path.join(root, "haproxy.cfg")])
    const url = `postgres://postgres@127.0.0.1:${port}/postgres`
    const cluster = new PatroniCluster(root, nodes, etcd, haproxy, url)
    for (const name of NODES) cluster.restart(name)
    try {
      await cluster.untilHealthy()
      return cluster
    } catch (error) {
      await cluster.stop()
      throw error
    }
  }

  /** Returns the name of the primary. */
  async primary(): Promise<string> {
    return (await this.#members()).find(({ role }) => role === "leader")?.name ?? ""
  }

  /** Ends a server with all its processes at once, as a loss of power does. */
  kill(name: string): void {
    this.#signal(name, "SIGKILL")
  }

  /** Stops a server as an operator does. */
  async halt(name: string): Promise<void> {
    const { child } = this.#nodeOf(name)
    if (child) await stop(child)
  }

  /** Freezes a server: its connections stay open, and nothing answers. The returned function resumes it. */
  freeze(name: string): () => void {
    this.#signal(name, "SIGSTOP")
    return () => this.#signal(name, "SIGCONT")
  }

  /** Starts a server that was killed or stopped. */
  restart(name: string): void {
    const node = this.#nodeOf(name)
    node.child = asPostgres(node.folder, PROGRAMS.patroni, [path.join(node.folder, "patroni.yml")])
  }

  /** Waits until one server is the primary, and both others follow it, one synchronously. */
  async untilHealthy(): Promise<void> {
    for (const until = Date.now() + HEALTHY_WITHIN_MS; Date.now() < until; await sleep(500))
      if (isHealthy(await this.#members())) return
    throw new Error("the cluster did not become healthy")
  }

  async stop(): Promise<void> {
    for (const { name } of this.nodes) this.#signal(name, "SIGCONT")
    for (const child of [this.haproxy, ...this.nodes.map((node) => node.child), this.etcd]) if (child) await stop(child)
    await rm(this.root, { recursive: true, force: true })
  }

  #nodeOf(name: string): Node {
    const node = this.nodes.find((each) => each.name === name)
    if (!node) throw new Error(`no server ${name}`)
    return node
  }

  #signal(name: string, signal: NodeJS.Signals): void {
    for (const pid of processesOf(this.#nodeOf(name))) {
      try {
        process.kill(pid, signal)
      } catch {
        // It has ended meanwhile.
      }
    }
  }

  /** Returns the cluster as the first server that replies sees it. A frozen one does not. */
  async #members(): Promise<Member[]> {
    for (const { restPort } of this.nodes) {
      const read = async () => {
        const response = await fetch(`http://127.0.0.1:${restPort}/cluster`, { signal: AbortSignal.timeout(2_000) })
        return ((await response.json()) as { members: Member[] }).members
      }
      const seen = await read().catch(() => null)
      if (seen) return seen
    }
    return []
  }
}
