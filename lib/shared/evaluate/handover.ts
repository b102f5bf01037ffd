import { leaveStored, takeLeft } from "@/lib/shared/browser-storage"
import type { RequestForm } from "@/lib/shared/request-form/request-form"
import { isStoredForm } from "@/lib/shared/request-form/stored-form"
import type { RobustnessCheck } from "./run/evaluation-run"

const keyOf = (accountId: string): string => `evaluate-handover:${accountId}`

/** A file cannot be stored as text. It stays in this page's memory until the other page takes it. */
let leftFile: File | null = null

/** What the playground leaves for the evaluate page: its request, and maybe a file of rows or what to check. */
export interface EvaluateHandover {
  form: RequestForm
  file: File | null
  /** What to check, with the form's state as the only row. Null to check nothing. */
  robustness: RobustnessCheck["kind"] | null
}

/** Leaves a request and a file for the evaluate page. Returns false when the browser cannot store them. */
export function leaveForEvaluate(accountId: string, { form, file, robustness }: EvaluateHandover): boolean {
  leftFile = file
  return leaveStored(keyOf(accountId), { form, robustness })
}

/** Returns what was left within the last hour, once; null when there is nothing. */
export function takeForEvaluate(accountId: string): EvaluateHandover | null {
  const { form, robustness } = takeLeft(keyOf(accountId)) ?? {}
  const file = leftFile
  leftFile = null
  const isKind = robustness === "stability" || robustness === "ablation"
  return isStoredForm(form) ? { form, file, robustness: isKind ? robustness : null } : null
}
