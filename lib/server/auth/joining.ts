import type { PoolClient } from "pg"
import type { Person } from "./oidc/provider"

/** The provider ended the sign-in since it began, by a logout or because newer groups of the person were applied. */
export class SignInEnded extends Error {}

interface SignedInPerson {
  userId: string
  person: Person
}

interface NewUser {
  userId: string
  /** An address that a mail or the OpenID provider proved to be the user's. */
  email: string
  clientAddress: string | null
}

/** How people join accounts while they sign in, in the transaction of `client`. */
export interface Joining {
  /**
   * Gives a person who signs in the role of their groups in `OIDC_ACCOUNT`. Returns a function that records the ended sessions, to be
   * called after the transaction. Throws `UserDeleted`, and `SignInEnded` for a token that is older than one whose groups were applied.
   */
  followGroups(client: PoolClient, signedIn: SignedInPerson): Promise<() => void>
  /** Makes a new user a member of the account that `SIGN_UP_ACCOUNTS` names for the domain of the address. */
  joinByDomain(client: PoolClient, user: NewUser): Promise<void>
}

declare module "@/lib/server/platform/runtime" {
  interface Runtime {
    /** Of the members, which import this folder. */
    joining: Joining
  }
}
