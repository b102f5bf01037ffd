import { Readable } from "node:stream"
import { BackupRefused, type Bytes } from "./backup-format"

/** The first bytes of a file that is encrypted for age. */
const MAGIC = Buffer.from("age-encryption.org/v1\n")

// Loaded when it is needed: most processes make no backup.
const age = () => import("age-encryption")

const toWeb = (bytes: Bytes) =>
  Readable.toWeb(Readable.from(bytes, { objectMode: false })) as unknown as ReadableStream<Uint8Array>

async function* fromWeb(stream: ReadableStream<Uint8Array>): AsyncGenerator<Buffer> {
  const reader = stream.getReader()
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) yield Buffer.from(next.value)
  } finally {
    await reader.cancel().catch(() => {})
  }
}

/** Encrypts bytes to the recipient of an age identity. The program `age` decrypts them with that identity. */
export async function* encrypt(bytes: Bytes, identity: string): AsyncGenerator<Buffer> {
  const { Encrypter, identityToRecipient } = await age()
  const encrypter = new Encrypter()
  encrypter.addRecipient(await identityToRecipient(identity))
  yield* fromWeb(await encrypter.encrypt(toWeb(bytes)))
}

async function* rejoin(first: Buffer, rest: AsyncIterator<Buffer>): AsyncGenerator<Buffer> {
  try {
    yield first
    for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value
  } finally {
    await rest.return?.()
  }
}

async function* unlessChanged(stream: ReadableStream<Uint8Array>): AsyncGenerator<Buffer> {
  try {
    yield* fromWeb(stream)
  } catch (cause) {
    // Errors of disks and stores have a code.
    if (!(cause instanceof Error) || "code" in cause) throw cause
    throw new BackupRefused("its encrypted bytes were changed", { cause })
  }
}

/** Returns whether the bytes are encrypted for age, and all of them again. */
export async function peek(bytes: Bytes): Promise<{ isEncrypted: boolean; all: Bytes }> {
  const source = bytes[Symbol.asyncIterator]()
  let first = Buffer.alloc(0)
  while (first.length < MAGIC.length) {
    const { value, done } = await source.next()
    if (done) break
    first = Buffer.concat([first, value])
  }
  return { isEncrypted: first.subarray(0, MAGIC.length).equals(MAGIC), all: rejoin(first, source) }
}

/**
 * Decrypts the bytes of `file` if they are encrypted. Throws `BackupRefused` without an identity, and when it is another one. Reading
 * `plain` rejects when the bytes were changed.
 */
export async function decrypt(
  bytes: Bytes,
  file: string,
  identity: string | null,
): Promise<{ isEncrypted: boolean; plain: Bytes }> {
  const { isEncrypted, all } = await peek(bytes)
  if (!isEncrypted) return { isEncrypted, plain: all }
  if (identity === null) throw new BackupRefused(`${file} is encrypted. Set BACKUP_KEY or BACKUP_KEY_FILE`)
  const { Decrypter } = await age()
  const decrypter = new Decrypter()
  decrypter.addIdentity(identity)
  const stream = await decrypter.decrypt(toWeb(all)).catch((cause) => {
    if (cause instanceof Error && "code" in cause) throw cause
    throw new BackupRefused(`BACKUP_KEY does not decrypt ${file}`, { cause })
  })
  return { isEncrypted, plain: unlessChanged(stream) }
}
