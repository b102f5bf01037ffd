import type { KeyStatus } from "@/lib/shared/keys/schema"

export interface FoundKey {
  /** `key_…` */
  id: string
  name: string
  /** `svcd_AbCd…wXyZ`; null for the Playground key. */
  masked: string | null
  status: KeyStatus
}

export interface FoundRequest {
  /** `req_…` */
  id: string
  /** ISO 8601. */
  at: string
  keyName: string
  status: number
  /** The error's code; null for a 200. */
  code: string | null
}

/** What the command menu finds in an account. */
export interface AccountSearch {
  keys: FoundKey[]
  /** Newest first. */
  requests: FoundRequest[]
}
