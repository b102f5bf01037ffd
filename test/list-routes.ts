import { readdirSync, readFileSync } from "node:fs"
import path from "node:path"
import { publicRoutes } from "@/lib/server/api/public-routes"

const APP = path.join(import.meta.dirname, "../app")
const CODE = /\.[jt]sx?$/
const METHOD = /^(?:async function|function|const) (GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS)\b/
const NAME = /^(?:async function|function|const) (\w+)/
/** What a module of a route may export besides: types, and settings of Next's. */
const NO_DOOR = /^(?:type|interface|const (?:dynamic|runtime|revalidate|maxDuration)\b)/
/** Next makes addresses of these too. */
const MADE = /^(?:robots|sitemap|manifest|icon|apple-icon|opengraph-image|twitter-image)\d?\./

const files = (): string[] =>
  readdirSync(APP, { recursive: true, encoding: "utf8" }).filter((file) => CODE.test(file) && !/\.test\./.test(file))
const read = (file: string): string => readFileSync(path.join(APP, file), "utf8")
const isNamed = (file: string, name: string): boolean => path.basename(file).replace(CODE, "") === name

/** What a module exports, by name; an export of a form that is not read here by its whole line, so that no table has it. */
const exportsOf = (file: string, pattern: RegExp): string[] =>
  [...read(file).matchAll(/^export (.*)/gm)]
    .map(([, line = ""]) => line)
    .filter((line) => !NO_DOOR.test(line))
    .map((line) => pattern.exec(line)?.[1] ?? line)

/** `(console)/keys/[id]/page.tsx` → `/keys/[id]` */
const addressOf = (file: string): string =>
  `/${path
    .dirname(file)
    .split("/")
    .filter((part) => part !== "." && !/^\(.*\)$/.test(part))
    .join("/")}`

/** Every page as Next finds it: `/keys/[id]`. */
export const listPages = (): string[] =>
  files()
    .filter((file) => isNamed(file, "page"))
    .map(addressOf)
    .toSorted()

/** Every handler and every door of the server's own: `GET /usage/requests.csv`. */
export function listHandlers(): string[] {
  const handlers = files()
    .filter((file) => isNamed(file, "route"))
    .flatMap((file) => exportsOf(file, METHOD).map((method) => `${method} ${addressOf(file)}`))
  const made = files().filter((file) => MADE.test(path.basename(file)))
  const own = publicRoutes("http://localhost").map((route) => `${route.method} ${route.path}`)
  return [...handlers, ...made, ...own].toSorted()
}

/** Every server action: `app/(console)/keys/actions.ts revokeKeyAction`. One that hides in another file is named as such. */
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
