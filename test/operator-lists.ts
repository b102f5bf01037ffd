import { readdirSync, readFileSync } from "node:fs"
import path from "node:path"
import { ADMIN_API } from "@/lib/server/management/admin-api"
import { listVerbs } from "./list-verbs"

const ROOT = path.join(import.meta.dirname, "..")
const IMPORT = /^import (?!type)\{([^}]*)\} from "@\/lib\/server\/([^"]+)"/gm

/** Functions that create or list accounts, which take no actor that a user can be. */
const MORE_VERBS = ["accounts/create-account.ts createAccount"]
const VERBS = new Set([...listVerbs(), ...MORE_VERBS])

/** Returns the verbs that the files below a folder import. */
function importedBelow(folder: string): Set<string> {
  const files = readdirSync(path.join(ROOT, folder), { recursive: true, encoding: "utf8" })
  const sources = files.filter((file) => /\.tsx?$/.test(file) && !/\.test\./.test(file))
  return new Set(
    sources.flatMap((file) =>
      [...readFileSync(path.join(ROOT, folder, file), "utf8").matchAll(IMPORT)].flatMap(([, names = "", from]) =>
        names.split(",").map((name) => `${from}.ts ${name.trim()}`),
      ),
    ),
  )
}

const verbsBelow = (folder: string): Set<string> =>
  new Set([...importedBelow(folder)].filter((name) => VERBS.has(name)))

/** The verbs of the operator's commands, of the pages of the operator's area, and of the admin API. */
export const OPERATOR_LISTS = {
  command: verbsBelow("lib/server/operator"),
  page: verbsBelow("app/(console)/operator"),
  api: new Set(ADMIN_API.operations.flatMap(({ verbs }) => verbs)),
}

export type OperatorList = keyof typeof OPERATOR_LISTS

/** The verbs that the admin API imports. */
export const importedByApi = (): Set<string> => verbsBelow("lib/server/management")
