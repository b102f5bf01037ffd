import { checkForm, type Verdict } from "@/lib/shared/request-form/check-form"
import type { RequestForm } from "@/lib/shared/request-form/request-form"
import type { ShapeLimits } from "@/questions/limits"

/** Messages by the path of their field. */
export type FormErrors = Readonly<Record<string, string>>

interface Visibility {
  /** A field shows its error once the user has left it. */
  leftFields: ReadonlySet<string>
  /** Set by a failed attempt to run: every field shows its error. */
  showsAllErrors: boolean
}

export const errorsOf = (verdicts: readonly Verdict[]): FormErrors =>
  Object.fromEntries(verdicts.map(({ field, message }) => [field, message]))

/** Returns the errors of a form that its user may see now. */
export function visibleErrors(form: RequestForm, limits: ShapeLimits, visibility: Visibility): FormErrors {
  const { leftFields, showsAllErrors } = visibility
  const checked = checkForm(form, limits)
  const isVisible = ({ field, isImmediate }: Verdict) =>
    isImmediate || showsAllErrors || field.endsWith(".root") || leftFields.has(field)
  return checked.ok ? {} : errorsOf(checked.verdicts.filter(isVisible))
}
