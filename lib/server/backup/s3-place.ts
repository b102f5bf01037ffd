import { Readable } from "node:stream"
import { setTimeout as sleep } from "node:timers/promises"
import type { S3mini } from "s3mini"
import { BadSetting, type Env } from "@/lib/server/platform/env"
import { outboundFetch } from "@/lib/server/platform/outbound"
import { BackupRefused, type Bytes } from "./backup-format"
import type { BackupPlace } from "./backup-place"

/** The most parts of one object. */
const MAX_PARTS = 10_000
/** One part is in memory at a time. All but the last must have the same size. */
const MIN_PART_BYTES = 16 * 1024 * 1024
const TYPE = "application/octet-stream"
const ATTEMPTS = 4
const FIRST_DELAY_MS = 500

/** A request to the store failed. The message is one line without anything that was sent. The log shows only the code. */
class StoreFailed extends Error {
  readonly code: string

  constructor(message: string, status = 0) {
    super(message)
    this.code = status === 0 ? "store_unreachable" : `store_${status}`
  }
}

/** Runs a request, repeatedly after a failure that may pass. */
async function asked<Result>(what: string, request: () => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await request()
    } catch (cause) {
      const status = cause instanceof Error && "status" in cause ? Number(cause.status) : 0
      const mayPass = status === 0 || status === 429 || status >= 500
      const reason = cause instanceof Error ? cause.message.split("\n")[0] : "failed"
      // The cause is left out: it has the store's reply, which may quote the request's headers.
      if (!mayPass || attempt === ATTEMPTS) throw new StoreFailed(`The store could not ${what}: ${reason}`, status)
      await sleep(FIRST_DELAY_MS * 2 ** (attempt - 1))
    }
  }
}

/** Joins bytes to parts of one size. The last one may be smaller. */
async function* inParts(bytes: Bytes, size: number): AsyncGenerator<Buffer> {
  let part = Buffer.alloc(size)
  let used = 0
  for await (const chunk of bytes)
    for (let from = 0; from < chunk.length; ) {
      const copied = chunk.copy(part, used, from)
      from += copied
      used += copied
      if (used < size) continue
      yield part
      part = Buffer.alloc(size)
      used = 0
    }
  if (used > 0) yield part.subarray(0, used)
}

/** A prefix of a bucket at any store that speaks S3, at the address and with the credentials of `AWS_…`. */
export class S3Place implements BackupPlace {
  readonly #env: Env
  readonly #bucket: string
  readonly #prefix: string
  #client: Promise<S3mini> | null = null

  constructor(env: Env, address: string) {
    const [bucket = "", ...rest] = address.slice("s3://".length).split("/")
    if (!bucket) throw new BackupRefused(`${address} names no bucket. Use s3://BUCKET/PREFIX`)
    this.#env = env
    this.#bucket = bucket
    this.#prefix = rest.filter((part) => part !== "").join("/")
  }

  #connect(): Promise<S3mini> {
    this.#client ??= this.#open()
    return this.#client
  }

  async #open(): Promise<S3mini> {
    const { AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_ENDPOINT_URL, AWS_REGION } = this.#env
    if (!AWS_ACCESS_KEY_ID || !AWS_SECRET_ACCESS_KEY)
      throw new BadSetting("AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY are required for s3:// addresses")
    const endpoint = AWS_ENDPOINT_URL ?? `https://s3.${AWS_REGION}.amazonaws.com`
    const { S3mini } = await import("s3mini")
    return new S3mini({
      accessKeyId: AWS_ACCESS_KEY_ID,
      secretAccessKey: AWS_SECRET_ACCESS_KEY,
      endpoint: `${endpoint}/${this.#bucket}`,
      region: AWS_REGION,
      fetch: outboundFetch(this.#env),
    })
  }

  #keyOf(file: string): string {
    return this.#prefix === "" ? file : `${this.#prefix}/${file}`
  }

  nameOf(file: string): string {
    return `s3://${this.#bucket}/${this.#keyOf(file)}`
  }

  async refuseExisting(file: string): Promise<void> {
    const client = await this.#connect()
    if (await asked("be asked for a file", () => client.objectExists(this.#keyOf(file))))
      throw new BackupRefused(`${this.nameOf(file)} exists already`)
  }

  async write(
    file: string,
    bytes: Bytes,
    check: (read: () => Bytes) => Promise<void>,
    sizeHint: number,
  ): Promise<void> {
    await this.refuseExisting(file)
    await this.#upload(this.#keyOf(file), bytes, Math.max(MIN_PART_BYTES, Math.ceil(sizeHint / (MAX_PARTS - 1))))
    try {
      await check(() => this.read(file))
    } catch (error) {
      await this.remove(file).catch(() => {})
      throw error
    }
  }

  // The client's own upload of a stream would end the process: when a part fails, nothing handles that rejection.
  async #upload(key: string, bytes: Bytes, partBytes: number): Promise<void> {
    const client = await this.#connect()
    const id = await asked("begin an upload", () => client.getMultipartUploadId(key, TYPE))
    try {
      const parts: Awaited<ReturnType<S3mini["uploadPart"]>>[] = []
      for await (const part of inParts(bytes, partBytes))
        parts.push(await asked("store a part", () => client.uploadPart(key, id, part, parts.length + 1)))
      await asked("complete an upload", () => client.completeMultipartUpload(key, id, parts))
    } catch (error) {
      // Its parts would cost money for as long as the bucket exists.
      await client.abortMultipartUpload(key, id).catch(() => {})
      throw error
    }
  }

  async *#read(file: string): AsyncGenerator<Buffer> {
    const client = await this.#connect()
    const response = await asked("send a file", () => client.getObjectResponse(this.#keyOf(file)))
    if (!response?.body) throw new BackupRefused(`${this.nameOf(file)} is not a file`)
    const body = Readable.fromWeb(response.body as Parameters<typeof Readable.fromWeb>[0])
    try {
      yield* body as Bytes
    } catch {
      throw new StoreFailed(`The store stopped sending ${this.nameOf(file)}`)
    }
  }

  read(file: string): Bytes {
    return this.#read(file)
  }

  async list(): Promise<{ file: string; changedAtMs: number }[]> {
    const client = await this.#connect()
    const prefix = this.#keyOf("")
    const objects = await asked("list its files", () => client.listObjects("/", prefix))
    if (objects === null) throw new StoreFailed(`The store has no bucket ${this.#bucket}`, 404)
    return objects
      .map(({ Key, LastModified }) => ({ file: Key.slice(prefix.length), changedAtMs: LastModified.getTime() }))
      .filter(({ file }) => file !== "" && !file.includes("/"))
  }

  async remove(file: string): Promise<void> {
    const client = await this.#connect()
    await asked("remove a file", () => client.deleteObject(this.#keyOf(file)))
  }

  /** Does nothing: a rule of the bucket ends uploads that killed processes left, as docs/operating says. */
  async prepare(): Promise<void> {}
}
