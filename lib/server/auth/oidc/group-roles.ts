import type { PoolClient } from "pg"
import type { Person } from "./provider"

/** The provider ended the sign-in since it began, by a logout or because newer groups of the person were applied. */
export class SignInEnded extends Error {}

interface SignedInPerson {
  userId: string
  person: Person
  clientAddress: string | null
}

/**
 * Gives a person who signs in the role of their groups in `OIDC_ACCOUNT`, in the transaction of `client`. Returns a function that records
 * the ended sessions, to be called after the transaction. Throws `UserDeleted`, and `SignInEnded` for a token that is older than one
 * whose groups were applied.
 */
export type FollowGroups = (client: PoolClient, signedIn: SignedInPerson) => Promise<() => void>

declare module "@/lib/server/platform/runtime" {
  interface Runtime {
    /** Of the members, which import this folder. */
    followGroups: FollowGroups
  }
}
