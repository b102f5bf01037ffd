import { readdirSync, readFileSync } from "node:fs"
import path from "node:path"

const SERVER = path.join(import.meta.dirname, "../lib/server")
const CODE = /^(?!.*\.test\.ts$).*\.ts$/

/** An exported function of the runtime and an actor who may be a user, also as the operator. */
const VERB =
  /^export (?:async )?(?:function\*?|const) (\w+)(?:<[^>]*>)?(?: = (?:async )?)?\(\s*(?:\w+|\{[^}]*\}): Runtime,\s*(?:\w+|\{[^}]*\}): (?:(?:User|Account|)Actor|AccountOperator|OperatorActor|MemberManager)\b/gm

/** Returns every verb of `lib/server`: `keys/create-key.ts createKey`. */
export const listVerbs = (): string[] =>
  readdirSync(SERVER, { recursive: true, encoding: "utf8" })
    .filter((file) => CODE.test(file))
    .flatMap((file) =>
      [...readFileSync(path.join(SERVER, file), "utf8").matchAll(VERB)].map(([, name]) => `${file} ${name}`),
    )
    .toSorted()
