import { spawn } from "node:child_process"
import { once } from "node:events"
import { chmod, writeFile } from "node:fs/promises"
import { connect } from "node:net"
import path from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { inject } from "vitest"
import { commandAs, postgresUser } from "@/lib/server/platform/db/os-user"
import { freePort } from "./free-port"
import { tempFolder } from "./temp-folder"

/** Starts PgBouncer in front of the tests' PostgreSQL. `urlOf` returns the address of a database through it. */
export async function startPgBouncer(mode: "session" | "transaction") {
  const { host, port: databasePort, user } = inject("postgres")
  const port = await freePort()
  const folder = tempFolder()
  await chmod(folder, 0o755)
  const file = path.join(folder, "pgbouncer.ini")
  await writeFile(
    file,
    `[databases]
* = host=${host} port=${databasePort} user=${user}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = ${mode}
default_pool_size = 40
`,
  )
  const [command, args] = commandAs(postgresUser(), "/usr/sbin/pgbouncer", ["-q", file])
  const child = spawn(command, args, { stdio: ["ignore", "ignore", "pipe"] })
  let printed = ""
  child.stderr.on("data", (text) => (printed += text))
  const failed = new Promise<never>((_, reject) => {
    child.once("error", reject)
    child.once("exit", () =>
      reject(new Error(`PgBouncer did not start. Install the Debian package pgbouncer. ${printed}`)),
    )
  })
  await Promise.race([failed, accepts(port)])
  failed.catch(() => {})
  return {
    urlOf: (databaseUrl: string) => `postgres://${user}@127.0.0.1:${port}${new URL(databaseUrl).pathname}`,
    async close() {
      const ended = once(child, "exit")
      child.kill("SIGTERM")
      await ended
    },
  }
}

/** Resolves once the port accepts connections. */
async function accepts(port: number): Promise<void> {
  for (;;) {
    const socket = connect(port, "127.0.0.1")
    const isOpen = await Promise.race([
      once(socket, "connect").then(() => true),
      once(socket, "close").then(() => false),
    ]).catch(() => false)
    socket.destroy()
    if (isOpen) return
    await sleep(20)
  }
}
