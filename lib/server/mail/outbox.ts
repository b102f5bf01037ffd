import { randomBytes } from "node:crypto"
import * as fs from "node:fs/promises"
import * as path from "node:path"
import PostalMime from "postal-mime"
import { runtime } from "@/lib/server/platform/runtime"

const SHOWN = 20

export interface OutboxMessage {
  /** The file's name. */
  id: string
  to: string
  subject: string
  /** ISO text. */
  sentAt: string
  text: string
  /** The message's action. */
  link: string | null
}

const folder = (dataDir: string): string => path.join(dataDir, "outbox")

/** The first link in a text: in our messages, the action. */
export const firstLink = (text: string): string | null => /https?:\/\/[^\s<>"]+/.exec(text)?.[0] ?? null

/** Stores a message as `.eml`, readable by us alone; names sort by time. A reader never sees half of one. */
export async function writeToOutbox(dataDir: string, message: Buffer): Promise<void> {
  await fs.mkdir(folder(dataDir), { recursive: true, mode: 0o700 })
  const time = new Date().toISOString().replace(/[-:.]/g, "")
  const file = path.join(folder(dataDir), `${time}-${randomBytes(4).toString("hex")}.eml`)
  await fs.writeFile(`${file}.part`, message, { mode: 0o600 })
  await fs.rename(`${file}.part`, file)
}

async function readMessage(dataDir: string, id: string): Promise<OutboxMessage> {
  const { to, subject, date, text } = await PostalMime.parse(await fs.readFile(path.join(folder(dataDir), id)))
  const body = text?.trim() ?? ""
  return {
    id,
    to: to?.[0]?.address ?? "",
    subject: subject ?? "",
    sentAt: date ?? "",
    text: body,
    link: firstLink(body),
  }
}

/** The newest messages of the outbox, newest first, at most 20. */
export async function listOutbox(): Promise<OutboxMessage[]> {
  const { DATA_DIR } = runtime().env
  const names = await fs.readdir(folder(DATA_DIR)).catch((): string[] => [])
  const newest = names
    .filter((name) => name.endsWith(".eml"))
    .sort()
    .reverse()
    .slice(0, SHOWN)
  return Promise.all(newest.map((name) => readMessage(DATA_DIR, name)))
}
