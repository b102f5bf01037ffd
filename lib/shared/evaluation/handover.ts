import { leaveStored, takeLeft } from "@/lib/shared/browser-storage"
import type { RequestForm } from "@/lib/shared/request-form/request-form"
import { isStoredForm } from "@/lib/shared/request-form/stored-form"

const keyOf = (accountId: string): string => `evaluate-handover:${accountId}`

/** A file cannot be stored as text. It stays in this page's memory until the other page takes it. */
let leftFile: File | null = null

export type ProbeKind = "stability" | "ablation"

/** What the playground leaves for the evaluate page: its request, and maybe a file of rows or what to probe. */
export interface EvaluateHandover {
  form: RequestForm
  file: File | null
  /** What to probe, with the form's state as the only row. Null to probe nothing. */
  probe: ProbeKind | null
}

/** Leaves a request and a file for the evaluate page. Returns false when the browser cannot store them. */
export function leaveForEvaluate(accountId: string, { form, file, probe }: EvaluateHandover): boolean {
  leftFile = file
  return leaveStored(keyOf(accountId), { form, probe })
}

/** Returns what was left within the last hour, once; null when there is nothing. */
export function takeForEvaluate(accountId: string): EvaluateHandover | null {
  const { form, probe } = takeLeft(keyOf(accountId)) ?? {}
  const file = leftFile
  leftFile = null
  return isStoredForm(form) ? { form, file, probe: probe === "stability" || probe === "ablation" ? probe : null } : null
}
