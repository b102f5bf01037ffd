import { takeStored, writeStored } from "@/lib/shared/browser-storage"
import type { RequestForm } from "@/lib/shared/request-form/request-form"
import { isStoredForm } from "@/lib/shared/request-form/stored-form"

const VALID_FOR_MS = 60 * 60_000
const keyOf = (accountId: string): string => `evaluate-handover:${accountId}`

/** A file cannot be stored as text. It stays in this page's memory until the other page takes it. */
let leftFile: File | null = null

/** What the playground leaves for the evaluate page: its questions, and maybe a file of rows. */
export interface EvaluateHandover {
  form: RequestForm
  file: File | null
}

/** Leaves questions and a file for the evaluate page. Returns false when the browser cannot store them. */
export function leaveForEvaluate(accountId: string, { form, file }: EvaluateHandover): boolean {
  leftFile = file
  return writeStored(keyOf(accountId), { at: Date.now(), form })
}

/** Returns what was left within the last hour, once; null when there is nothing. */
export function takeForEvaluate(accountId: string): EvaluateHandover | null {
  const stored = takeStored(keyOf(accountId))
  const file = leftFile
  leftFile = null
  if (typeof stored !== "object" || stored === null) return null
  const { at, form }: { at?: unknown; form?: unknown } = stored
  return typeof at === "number" && Date.now() - at < VALID_FOR_MS && isStoredForm(form) ? { form, file } : null
}
