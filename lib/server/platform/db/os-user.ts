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

/** Returns the user that PostgreSQL runs as when this process is root, which PostgreSQL refuses; null otherwise. */
export function postgresUser(): OsUser | null {
  if (process.getuid?.() !== 0) return null
  for (const name of ["postgres", "nobody"]) {
    const uid = idOf("-u", name)
    const gid = idOf("-g", name)
    if (uid !== null && gid !== null) return { uid, gid }
  }
  throw new Error("running as root needs an ordinary user, postgres or nobody, for embedded PostgreSQL")
}

/** Returns a command line that runs as `user` but may still traverse root's directories. */
export function commandAs(user: OsUser | null, command: string, args: string[]): [string, string[]] {
  if (!user) return [command, args]
  const drop = [`--reuid=${user.uid}`, `--regid=${user.gid}`, "--clear-groups"]
  const keep = ["--inh-caps=-all,+dac_override", "--ambient-caps=-all,+dac_override"]
  return ["setpriv", [...drop, ...keep, "--", command, ...args]]
}
