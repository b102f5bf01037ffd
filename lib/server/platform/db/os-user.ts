import { execFileSync } from "node:child_process"

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

/** Returns a command line that runs as `user` but may still traverse root's directories. */
export function commandAs(user: OsUser | null, command: string, args: string[]): [string, string[]] {
  if (!user) return [command, args]
  const drop = [`--reuid=${user.uid}`, `--regid=${user.gid}`, "--clear-groups"]
  const keep = ["--inh-caps=-all,+dac_override", "--ambient-caps=-all,+dac_override"]
  return ["setpriv", [...drop, ...keep, "--", command, ...args]]
}
