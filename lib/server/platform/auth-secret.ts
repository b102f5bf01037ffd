import { randomBytes } from "node:crypto"
import * as fs from "node:fs/promises"
import * as path from "node:path"
import type { Env } from "./env"

const isMissing = (error: unknown): boolean => error instanceof Error && "code" in error && error.code === "ENOENT"

async function readSecret(file: string): Promise<string | null> {
  try {
    const text = (await fs.readFile(file, "utf8")).trim()
    return text.length >= 32 ? text : null
  } catch (error) {
    if (isMissing(error)) return null
    throw error
  }
}

export const SECRET_FILE = "auth-secret"

/** Returns the secret that an earlier start created in `dataDir`; null when there is none of 32 characters or more. */
export const readSecretOf = (dataDir: string): Promise<string | null> => readSecret(path.join(dataDir, SECRET_FILE))

/**
 * Returns the service's secret, from which all keyed hashes and encryption keys derive: `AUTH_SECRET`, else one created in
 * `DATA_DIR` by the first start. Concurrent starts agree on one. Throws when the stored secret is too short.
 */
export async function ensureAuthSecret(env: Pick<Env, "AUTH_SECRET" | "DATA_DIR">): Promise<string> {
  if (env.AUTH_SECRET) return env.AUTH_SECRET
  const file = path.join(env.DATA_DIR, SECRET_FILE)
  const known = await readSecret(file)
  if (known) return known
  await fs.mkdir(env.DATA_DIR, { recursive: true, mode: 0o700 })
  const draft = `${file}.${process.pid}.${randomBytes(4).toString("hex")}`
  await fs.writeFile(draft, `${randomBytes(32).toString("base64url")}\n`, { mode: 0o600, flush: true })
  // link() fails when the file exists, so the first of two starts wins and a reader never sees half a file.
  await fs.link(draft, file).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "EEXIST") throw error
  })
  await fs.rm(draft)
  const secret = await readSecret(file)
  if (!secret) throw new Error(`${file} holds no secret of 32 characters or more: remove it and start again`)
  return secret
}

type Secrets = Pick<Env, "AUTH_SECRET" | "AUTH_SECRET_PREVIOUS">

/** Returns the secrets that stored hashes and signatures may use: the current one, then the one before a rotation, if it is set. */
export const acceptedSecrets = ({ AUTH_SECRET = "", AUTH_SECRET_PREVIOUS }: Secrets): string[] =>
  AUTH_SECRET_PREVIOUS ? [AUTH_SECRET, AUTH_SECRET_PREVIOUS] : [AUTH_SECRET]
