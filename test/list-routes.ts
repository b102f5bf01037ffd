import { readdirSync, readFileSync } from "node:fs"
import path from "node:path"
import { publicRoutes } from "@/lib/server/api/public-routes"

const APP = path.join(import.meta.dirname, "../app")
const CODE = /\.[jt]sx?$/
const METHOD = /^(?:async function|function|const) (GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS)\b/
const NAME = /^(?:async function|function|const) (\w+)/
/** Exports of a route's module that handle no request: types and Next's settings. */
const NOT_A_HANDLER = /^(?:type|interface|const (?:dynamic|runtime|revalidate|maxDuration)\b)/
/** Metadata files that Next serves as routes. */
const METADATA_FILE = /^(?:robots|sitemap|manifest|icon|apple-icon|opengraph-image|twitter-image)\d?\./

const files = (): string[] =>
  readdirSync(APP, { recursive: true, encoding: "utf8" }).filter((file) => CODE.test(file) && !/\.test\./.test(file))
const read = (file: string): string => readFileSync(path.join(APP, file), "utf8")
const isNamed = (file: string, name: string): boolean => path.basename(file).replace(CODE, "") === name

/** Returns the names of a module's exports. An export of an unknown form yields its whole line, so that the tests fail. */
const exportsOf = (file: string, pattern: RegExp): string[] =>
  [...read(file).matchAll(/^export (.*)/gm)]
    .map(([, line = ""]) => line)
    .filter((line) => !NOT_A_HANDLER.test(line))
    .map((line) => pattern.exec(line)?.[1] ?? line)

/** Returns the address of a route's file: `/keys/[id]` for `(console)/keys/[id]/page.tsx`. */
const addressOf = (file: string): string =>
  `/${path
    .dirname(file)
    .split("/")
    .filter((part) => part !== "." && !/^\(.*\)$/.test(part))
    .join("/")}`

/** Returns the file of every page by its address. */
export const pageFiles = (): Record<string, string> =>
  Object.fromEntries(
    files()
      .filter((file) => isNamed(file, "page"))
      .map((file) => [addressOf(file), path.join(APP, file)]),
  )

export const listPages = (): string[] => Object.keys(pageFiles()).toSorted()

/** Returns the routes that the server answers without Next, as `listHandlers` names them. */
export const listOwnRoutes = (): string[] =>
  publicRoutes({
    BASE_URL: "http://localhost",
    CONSOLE_URL: "http://localhost",
    SUPPORT_EMAIL: "help@example.com",
  }).map(({ method, path }) => `${method} ${path}`)

export function listHandlers(): string[] {
  const handlers = files()
    .filter((file) => isNamed(file, "route"))
    .flatMap((file) => exportsOf(file, METHOD).map((method) => `${method} ${addressOf(file)}`))
  const metadata = files().filter((file) => METADATA_FILE.test(path.basename(file)))
  // The API and the console each have `/robots.txt`.
  return [...new Set([...handlers, ...metadata, ...listOwnRoutes()])].toSorted()
}

/** Returns every server action, such as `app/(console)/keys/actions.ts revokeKeysAction`. Reports actions in other files. */
export function listActions(): string[] {
  return files()
    .filter((file) => /^\s*["']use server["']/m.test(read(file)))
    .flatMap((file) =>
      isNamed(file, "actions")
        ? exportsOf(file, NAME).map((name) => `app/${file} ${name}`)
        : [`app/${file} has actions outside of an actions.ts`],
    )
    .toSorted()
}

/** Returns what an action uses of `lib/server`, such as `keys/create-key.ts createKey`. */
export function importsOf(action: string): string[] {
  const [file = "", name = ""] = action.slice("app/".length).split(/ (?=\w+$)/)
  const text = read(file)
  const [, body = ""] =
    new RegExp(`^(export (?:const|async function) ${name}\\b.*?)(?=^export |(?![^]))`, "ms").exec(text) ?? []
  return [...text.matchAll(/^import \{([^}]*)\} from "@\/lib\/server\/([^"]+)"/gm)].flatMap(([, names = "", from]) =>
    names
      .split(",")
      .map((imported) => imported.trim())
      .filter((imported) => imported !== "" && new RegExp(`\\b${imported}\\b`).test(body))
      .map((imported) => `${from}.ts ${imported}`),
  )
}
