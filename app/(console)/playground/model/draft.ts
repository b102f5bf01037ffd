import { readStored, writeStored } from "@/lib/shared/browser-storage"
import { isStoredForm } from "@/lib/shared/request-form/stored-form"
import type { KeyChoice, ModelChoice } from "@/lib/shared/runs/model-choice"
import type { RequestSnapshot } from "./json-view"

/** Per account, so that another account in the same browser starts with the example. */
const keyOf = (accountId: string): string => `playground:${accountId}`

export type Draft = RequestSnapshot

/** Returns a stored value as a draft; null when it is missing or from another version. */
export function parseDraft(value: unknown): Draft | null {
  if (typeof value !== "object" || value === null) return null
  const { form, json }: { [Name in keyof Draft]?: unknown } = value
  if (!isStoredForm(form)) return null
  return json === null || typeof json === "string" ? { form, json } : null
}

export const readDraft = (accountId: string): Draft | null => parseDraft(readStored(keyOf(accountId)))

/** Stores an account's draft. Returns false when storage is blocked or has no room for it. */
export const writeDraft = (accountId: string, draft: Draft): boolean => writeStored(keyOf(accountId), draft)

export function repairDraft({ form, json }: Draft, models: ModelChoice[], keys: KeyChoice[]): Draft {
  const model = models.some(({ id }) => id === form.model) ? form.model : (models[0]?.id ?? "")
  const keyId = keys.some(({ id }) => id === form.keyId) ? form.keyId : ""
  return { form: { ...form, model, keyId }, json }
}
