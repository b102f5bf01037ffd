import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import path from "node:path"
import * as readline from "node:readline"
import { setTimeout as sleep } from "node:timers/promises"
import { freePort } from "../../test/free-port"

const STOP_WITHIN_MS = 30_000
const ROOT = path.resolve(import.meta.dirname, "../..")

const running = new Set<ChildProcess>()
// No child outlives the benchmark, however that ends.
process.on("exit", () => {
  for (const child of running) child.kill("SIGTERM")
})
for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"]) process.on(signal, () => process.exit(1))

/** Registers a child that ends with this process. */
export function own(child: ChildProcess): ChildProcess {
  running.add(child)
  child.once("exit", () => running.delete(child))
  return child
}

export interface Started {
  port: number
  pid: number
  stop(): Promise<void>
}

/** Ends a child process and waits for its exit. Kills it after 30 seconds. */
export async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const timer = setTimeout(() => child.kill("SIGKILL"), STOP_WITHIN_MS)
  child.kill("SIGTERM")
  await once(child, "exit")
  clearTimeout(timer)
}

/** Waits until `url` returns 200 and `passes` accepts the body. Throws when the child ends first, and after a time, by default 60 seconds. */
export async function untilReady(
  url: string,
  child: ChildProcess,
  { passes = (_body: string): boolean => true, withinMs = 60_000 } = {},
): Promise<void> {
  const deadline = Date.now() + withinMs
  while (Date.now() < deadline) {
    if (child.exitCode !== null) throw new Error(`${url}: the process ended with ${child.exitCode}`)
    const ready = await fetch(url).then(
      async (response) => response.ok && passes(await response.text()),
      () => false,
    )
    if (ready) return
    await sleep(50)
  }
  throw new Error(`${url} did not become ready`)
}

const helperArgs = (name: string, args: (string | number)[]): string[] => [
  "--import",
  "tsx",
  path.join(import.meta.dirname, `${name}.ts`),
  ...args.map(String),
]

/** Runs a program of bench/support to its end. `begun` resolves at its first line, `printed` to its last line. */
export function runHelper(
  name: string,
  ...args: (string | number)[]
): { pid: number; begun: Promise<unknown>; printed: Promise<string> } {
  const child = spawn(process.execPath, helperArgs(name, args), { cwd: ROOT, stdio: ["ignore", "pipe", "inherit"] })
  own(child)
  const lines = readline.createInterface({ input: child.stdout })
  let last = ""
  lines.on("line", (line) => {
    last = line
  })
  const ended = once(child, "close").then(([code]) => {
    if (code !== 0) throw new Error(`${name} ended with ${code}`)
    return last
  })
  return { pid: child.pid ?? 0, begun: Promise.race([once(lines, "line"), ended]), printed: ended }
}

/** Starts a program of bench/support whose first argument is a port, and waits until `GET /` returns 200. */
export async function startHelper(name: string, ...args: (string | number)[]): Promise<Started> {
  const port = await freePort()
  const stdio = ["ignore", "inherit", "inherit"] as const
  const child = own(spawn(process.execPath, helperArgs(name, [port, ...args]), { cwd: ROOT, stdio: [...stdio] }))
  await untilReady(`http://127.0.0.1:${port}/`, child)
  return { port, pid: child.pid ?? 0, stop: () => stop(child) }
}
