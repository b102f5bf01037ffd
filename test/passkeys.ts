import { addPasskey, startPasskey } from "@/lib/server/auth/passkeys/add-passkey"
import { startPasskeyConfirmation } from "@/lib/server/auth/passkeys/confirm-by-passkey"
import type { UserActor } from "@/lib/server/platform/actor"
import { runtime } from "@/lib/server/platform/runtime"
import { Authenticator } from "./doubles/authenticator"

/** Adds a new passkey of the user. Returns the authenticator that has it, and its id, `pky_…`. */
export async function withPasskey(user: UserActor, name = "Laptop") {
  const authenticator = new Authenticator()
  const response = authenticator.register(await startPasskey(runtime(), user))
  return { authenticator, ...(await addPasskey(runtime(), user, { name, ...response })) }
}

/** Returns the user with what a browser sends to add a passkey. */
export async function newPasskey(user: UserActor) {
  const response = new Authenticator().register(await startPasskey(runtime(), user))
  return [user, { name: "Laptop", ...response }] as [UserActor, object]
}

/** Returns the user, who gets a passkey, with what a browser sends to confirm with it. */
export async function signedConfirmation(user: UserActor) {
  const { authenticator } = await withPasskey(user)
  const verb = "createKey"
  const response = authenticator.confirm(await startPasskeyConfirmation(runtime(), user, { verb }))
  return [user, { verb, ...response }] as [UserActor, object]
}
