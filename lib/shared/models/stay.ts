import { z } from "zod"

/** For so many days after a move of the alias, an account may keep it on the model before. */
export const STAY_DAYS = 30
/** The end of a stay is announced so many days before. */
export const STAY_NOTICE_DAYS = 7

/** Sets whether the alias stays on its earlier model for the account. */
export const SetStayInput = z.strictObject({ stays: z.boolean() })
export type SetStayInput = z.output<typeof SetStayInput>

/** With which earlier model the alias answers an account, and until when. */
export interface Stay {
  /** A pinned id. */
  model: string
  /** ISO text. */
  until: string
  /** Whether the alias still points at the model, and a move is planned. */
  isAhead: boolean
}
