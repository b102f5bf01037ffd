import { z } from "zod"
import { KEY_ROUTE_NAMES, type KeyRoute } from "./key-routes"

/** Where a key may be used. An empty list restricts nothing. */
export interface KeyRestrictions {
  /** Ids as requests name them. An alias does not include the pinned id that it points at. */
  models: string[]
  routes: KeyRoute[]
  /** Addresses, and ranges in CIDR notation. */
  networks: string[]
}

export const NO_RESTRICTIONS: KeyRestrictions = { models: [], routes: [], networks: [] }

const MAX_ENTRIES = 20
const TOO_MANY = `Enter at most ${MAX_ENTRIES}.`
const BAD_NETWORK = "Enter addresses or ranges such as 203.0.113.7 or 2001:db8::/32, separated by spaces."

const Network = z.union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()])

/** A list, or the text of a field. */
const Networks = z
  .union([z.array(z.string()), z.string().max(2_000, TOO_MANY)])
  .transform((given) => (typeof given === "string" ? given.split(/[\s,]+/) : given).filter((part) => part !== ""))
  .refine((parts) => parts.every((part) => Network.safeParse(part).success), BAD_NETWORK)
  .refine((parts) => parts.length <= MAX_ENTRIES, TOO_MANY)

export const RESTRICTION_FIELDS = {
  models: z.array(z.string().min(1).max(128)).max(MAX_ENTRIES, TOO_MANY),
  routes: z.array(z.enum(KEY_ROUTE_NAMES)),
  networks: Networks,
}

export const RestrictKeyInput = z.strictObject({ id: z.string(), ...RESTRICTION_FIELDS })
export type RestrictKeyInput = z.output<typeof RestrictKeyInput>
