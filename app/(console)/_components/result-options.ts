import type { Option } from "@/components/ui/select"
import { type ErrorCode, errorTable } from "@/lib/shared/errors"

/** Errors that no account's log contains: only the console returns them, or no account is known. */
const NOT_LOGGED: readonly ErrorCode[] = [
  "invalid_api_key",
  "not_found",
  "method_not_allowed",
  "signed_out",
  "confirmation_required",
  "account_switched",
  "forbidden",
]

const CODES = (Object.keys(errorTable) as ErrorCode[]).filter((code) => !NOT_LOGGED.includes(code))

/** The results that the log can be filtered by, as values of the query parameter `result`. */
export const RESULT_OPTIONS: readonly Option[] = [
  { value: "answered", label: "200 answered" },
  { value: "refused", label: "Failed or refused" },
  ...CODES.map((code) => ({ value: code, label: `${errorTable[code].status} ${code}` })),
]
