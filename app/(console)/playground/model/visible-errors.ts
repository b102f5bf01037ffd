import { checkForm, type FieldError } from "@/lib/shared/request-form/check-form"
import type { RequestForm } from "@/lib/shared/request-form/request-form"
import type { ShapeLimits } from "@/questions/limits"

/** Error messages by the path of their field. */
export type FormErrors = Readonly<Record<string, string>>

interface Visibility {
  /** A field shows its error once the user has left it. */
  leftFields: ReadonlySet<string>
  /** Set by a failed attempt to run: every field shows its error. */
  showsAllErrors: boolean
}

export const messagesByField = (errors: readonly FieldError[]): FormErrors =>
  Object.fromEntries(errors.map(({ field, message }) => [field, message]))

/** Returns the form's errors that are visible now. */
export function visibleErrors(form: RequestForm, limits: ShapeLimits, visibility: Visibility): FormErrors {
  const { leftFields, showsAllErrors } = visibility
  const checked = checkForm(form, limits)
  // A user cannot leave a list (`.root`), so its error is visible at once.
  const isVisible = ({ field, isImmediate }: FieldError) =>
    isImmediate || showsAllErrors || field.endsWith(".root") || leftFields.has(field)
  return checked.ok ? {} : messagesByField(checked.errors.filter(isVisible))
}
