import { existsSync, statSync } from "node:fs"
import * as path from "node:path"
import { InvalidArgumentError } from "commander"
import type { z } from "zod"
import { EmailAddress } from "@/lib/shared/auth/schema"
import {
  AmountUsd,
  Cents,
  ClientModelName,
  NewModelId,
  Note,
  PricePerMillion,
  Reference,
  SharePercent,
  UtcDay,
} from "@/lib/shared/operator/forms"
import { AuditCursor } from "@/lib/shared/operator/search"

const refuse = (message: string): never => {
  throw new InvalidArgumentError(message)
}

/** Returns a parser of an argument by a schema that the console's forms use too. */
const by =
  <Schema extends z.ZodType>(Schema: Schema) =>
  (text: string): z.output<Schema> => {
    const parsed = Schema.safeParse(text)
    return parsed.success ? parsed.data : refuse(parsed.error.issues[0]?.message ?? "Use another value.")
  }

export const amountUsd = by(AmountUsd)
export const centsUsd = by(Cents)
export const priceUsd = by(PricePerMillion)
export const note = by(Note)
export const reference = by(Reference)
export const emailAddress = by(EmailAddress)
export const newModelId = by(NewModelId)
export const clientModelName = by(ClientModelName)
export const utcDay = by(UtcDay)
export const percent = by(SharePercent)
export const auditCursor = by(AuditCursor)

export const whole =
  (low: number, high: number) =>
  (text: string): number => {
    const value = /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN
    return value >= low && value <= high ? value : refuse(`Use a whole number from ${low} to ${high}.`)
  }

/** Parses a probability above 0 and at most 1. */
export function probability(text: string): number {
  const value = /^[01](\.\d{1,9})?$/.test(text) ? Number(text) : Number.NaN
  return value > 0 && value <= 1 ? value : refuse("Use a number above 0 and at most 1, such as 0.9.")
}

/** Parses `SMALL:BIG`, the ids of two models. */
export function cascadeParts(text: string): [small: string, big: string] {
  const [small, big, ...others] = text.split(":")
  if (!small || !big || others.length > 0) return refuse("Use the ids of two models with a colon between them.")
  return [small, big]
}

/** Parses an engine's address and removes the final slash. */
export function engineUrl(text: string): string {
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol)) return refuse("Use an http or https URL.")
  return text.replace(/\/+$/, "")
}

/** Returns the path of an existing file. */
export function file(text: string): string {
  return existsSync(text) && statSync(text).isFile() ? text : refuse("The file does not exist.")
}

/** Returns the absolute path of an existing folder. */
export function folder(text: string): string {
  if (!existsSync(text) || !statSync(text).isDirectory()) return refuse("The folder does not exist.")
  return path.resolve(text)
}
