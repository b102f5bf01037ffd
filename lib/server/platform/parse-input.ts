import type { z } from "zod"
import { ServiceError } from "@/lib/shared/errors"

/** Parses the input of a verb. Throws `invalid_request` with the path and message of the first invalid field. */
export function parseInput<Schema extends z.ZodType>(Input: Schema, input: z.input<Schema>): z.output<Schema> {
  const parsed = Input.safeParse(input)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  const param = issue?.path.join(".")
  throw new ServiceError("invalid_request", {
    ...(param ? { param } : {}),
    message: issue?.message,
    cause: parsed.error,
  })
}
