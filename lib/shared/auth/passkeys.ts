import { z } from "zod"
import { Name } from "@/lib/shared/plain-line"
import { VerbToConfirm } from "./schema"

/** How a browser can reach an authenticator. Others that a browser names are ignored. */
const TRANSPORTS: readonly string[] = ["ble", "cable", "hybrid", "internal", "nfc", "smart-card", "usb"]

/** Base64url of at most this many characters. */
const encoded = (maxLength: number) =>
  z
    .string()
    .max(maxLength)
    .regex(/^[A-Za-z0-9_-]+$/)

/** A new passkey: its name, and what the browser returned for the options of `startPasskey`. */
export const AddPasskeyInput = z.strictObject({
  name: Name,
  /** The credential's id. WebAuthn allows 1,023 bytes. */
  id: encoded(1_364),
  clientDataJSON: encoded(4_000),
  attestationObject: encoded(20_000),
  transports: z
    .array(z.string().max(40))
    .max(20)
    .transform((all) => TRANSPORTS.filter((one) => all.includes(one))),
})
export type AddPasskeyInput = z.output<typeof AddPasskeyInput>

export const StartPasskeyInput = z.strictObject({})

/** A passkey by its public id, `pky_…`. */
export const OnePasskey = z.strictObject({ id: z.string() })
export type OnePasskey = z.output<typeof OnePasskey>

export const RenamePasskeyInput = z.strictObject({ id: z.string(), name: Name })
export type RenamePasskeyInput = z.output<typeof RenamePasskeyInput>

/** `verb` is what the user was refused. */
export const StartConfirmationInput = z.strictObject({ verb: VerbToConfirm })
export type StartConfirmationInput = z.output<typeof StartConfirmationInput>

/** What the browser returned for the options of `startPasskeyConfirmation`. */
export const ConfirmByPasskeyInput = z.strictObject({
  verb: VerbToConfirm,
  id: encoded(1_364),
  clientDataJSON: encoded(4_000),
  authenticatorData: encoded(4_000),
  signature: encoded(4_000),
})
export type ConfirmByPasskeyInput = z.output<typeof ConfirmByPasskeyInput>

/** Times are ISO text. */
export interface PasskeySummary {
  /** `pky_…` */
  id: string
  name: string
  createdAt: string
  /** Null: never. */
  lastUsedAt: string | null
}
