import { Command } from "commander"
import { OPERATOR } from "@/lib/server/platform/actor"
import { runtime } from "@/lib/server/platform/runtime"
import { rotateSigningKey } from "@/lib/server/signing/signing-keys"
import { type Outcome, type RunCommand, table } from "./outcome"

async function rotate(): Promise<Outcome> {
  const keys = await rotateSigningKey(runtime(), OPERATOR)
  const json = keys.map(({ id, publicKey, retiredAt }) => ({ id, public_key: publicKey, retired_at: retiredAt }))
  const text = table(
    ["Key", "Public key", "Retired"],
    keys.map(({ id, publicKey, retiredAt }) => [id, publicKey, retiredAt]),
  )
  return { json: { signing_keys: json }, text }
}

/** `signing rotate` */
export const signingCommands = (act: RunCommand): Command =>
  new Command("signing")
    .description("manage the key that signs sign-off records")
    .addCommand(
      new Command("rotate")
        .description("retire the key and create another one; signatures of the old key stay valid")
        .action(() => act(rotate)),
    )
