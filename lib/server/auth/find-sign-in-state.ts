import { cookies } from "next/headers"
import { runtime } from "@/lib/server/platform/runtime"
import { readSignInState, type SignInState, signInStateCookie } from "./sign-in-state"

/** What the sign-in pages remember of this browser; an empty state when there is nothing. */
export async function findSignInState(): Promise<SignInState> {
  return readSignInState((await cookies()).get(signInStateCookie(runtime().env))?.value)
}
