import { execFile } from "node:child_process"
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { availableParallelism } from "node:os"
import { promisify } from "node:util"

const run = promisify(execFile)
/** Linux reports processor time to programs in hundredths of a second. */
const TICK_US = 10_000

/** The core of the measured programs, and the core of everything else. */
export const CORES = { measured: 0, load: 1 }

/** Keeps a process, its threads and its future children on one core. Returns false if the system cannot. */
export async function pin(pid: number, core: number): Promise<boolean> {
  if (availableParallelism() < 2 && pid === process.pid) return false
  return run("taskset", ["-a", "-c", "-p", String(core), String(pid)]).then(
    () => true,
    () => false,
  )
}

function statOf(pid: number): string[] {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "utf8")
    // The second field is the name in parentheses, which may hold spaces.
    return text.slice(text.lastIndexOf(")") + 2).split(" ")
  } catch {
    return []
  }
}

/** Returns the process and its children. Linux lists children by the thread that started them. */
export function familyOf(pid: number): number[] {
  const childrenOf = (thread: string): string => {
    try {
      return readFileSync(`/proc/${pid}/task/${thread}/children`, "utf8")
    } catch {
      return ""
    }
  }
  const children = readdirSync(`/proc/${pid}/task`).map(childrenOf).join(" ")
  return [pid, ...children.split(" ").filter(Boolean).map(Number)]
}

/** Returns the process and all that descend from it. */
export const descendantsOf = (pid: number): number[] => {
  const children = existsSync(`/proc/${pid}/task`) ? familyOf(pid).slice(1) : []
  return [pid, ...children.flatMap(descendantsOf)]
}

/** Returns the processor time of these processes and their ended children, in microseconds. */
export const cpuMicros = (pids: number[]): number =>
  pids.reduce((sum, pid) => {
    const stat = statOf(pid)
    return sum + stat.slice(11, 15).reduce((ticks, field) => ticks + Number(field), 0) * TICK_US
  }, 0)

/** Returns a line of /proc/PID/status in MiB: VmRSS is the current memory, VmHWM its peak. */
export function memoryMiB(pid: number, field: "VmRSS" | "VmHWM" | "RssAnon"): number {
  const kib = new RegExp(`^${field}:\\s+(\\d+)`, "m").exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]
  return Number(kib) / 1024
}
