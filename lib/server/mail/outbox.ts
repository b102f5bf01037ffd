import { randomBytes } from "node:crypto"
import * as fs from "node:fs/promises"
import * as path from "node:path"
import PostalMime from "postal-mime"
import type { Runtime } from "@/lib/server/platform/runtime"

const SHOWN = 20

export interface OutboxMessage {
  /** The file name. */
  id: string
  to: string
  subject: string
  /** ISO text. */
  sentAt: string
  text: string
  /** The link of the message's button; null without one. */
  link: string | null
}

const folder = (dataDir: string): string => path.join(dataDir, "outbox")

/** Returns the first link in a text, which is the button's link in every message of the service. */
export const firstLink = (text: string): string | null => /https?:\/\/[^\s<>"]+/.exec(text)?.[0] ?? null

/** Stores a message as an `.eml` file that only the service's user can read. Names sort by time. */
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

/** Returns the newest 20 messages of the outbox, newest first. */
export async function listOutbox({ env }: Runtime): Promise<OutboxMessage[]> {
  const { DATA_DIR } = env
  const names = await fs.readdir(folder(DATA_DIR)).catch((): string[] => [])
  const newest = names
    .filter((name) => name.endsWith(".eml"))
    .sort()
    .reverse()
    .slice(0, SHOWN)
  return Promise.all(newest.map((name) => readMessage(DATA_DIR, name)))
}
