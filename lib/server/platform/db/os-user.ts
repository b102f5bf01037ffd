import { execFileSync } from "node:child_process"
import { readFileSync } from "node:fs"

/** The bit of Linux's CAP_SETPCAP, which containers may lack. */
const SETPCAP = 1n << 8n

export interface OsUser {
  uid: number
  gid: number
}

function idOf(flag: "-u" | "-g", name: string): number | null {
  try {
    return Number(execFileSync("id", [flag, name], { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }))
  } catch {
    return null
  }
}

/** Returns the user to run PostgreSQL as, since PostgreSQL refuses to run as root. Returns null if this process is not root. */
export function postgresUser(): OsUser | null {
  if (process.getuid?.() !== 0) return null
  for (const name of ["postgres", "nobody"]) {
    const uid = idOf("-u", name)
    const gid = idOf("-g", name)
    if (uid !== null && gid !== null) return { uid, gid }
  }
  throw new Error("embedded PostgreSQL cannot run as root: create a user named postgres or nobody")
}

/** Returns whether this process may change what its children lose with root's id. Reads Linux's record of the process. */
function maySetSecurebits(): boolean {
  const held = /^CapEff:\s*(\w+)$/m.exec(readFileSync("/proc/self/status", "utf8"))?.[1] ?? "0"
  return (BigInt(`0x${held}`) & SETPCAP) !== 0n
}

/** Returns a command line that runs as `user` but may still traverse root's directories. */
export function commandAs(user: OsUser | null, command: string, args: string[]): [string, string[]] {
  if (!user) return [command, args]
  const drop = [`--reuid=${user.uid}`, `--regid=${user.gid}`, "--clear-groups"]
  const keep = ["--inh-caps=-all,+dac_override", "--ambient-caps=-all,+dac_override"]
  // Without the bit, the system call `access` ignores capabilities, and PostgreSQL's programs do not find each other in root's directories.
  if (maySetSecurebits()) keep.unshift("--securebits=+no_setuid_fixup")
  return ["setpriv", [...drop, ...keep, "--", command, ...args]]
}
