import { readFile } from "node:fs/promises"
import type { Env } from "@/lib/server/platform/env"
import { ServiceError } from "@/lib/shared/errors"
import { PAGE_LIST } from "@/lib/shared/pages"
import { sendText } from "./respond"
import type { Route } from "./route"

export type WellKnownSettings = Pick<Env, "BASE_URL" | "CONSOLE_URL"> &
  Partial<Pick<Env, "SUPPORT_EMAIL" | "SUPPORT_URL">>

/** RFC 9116 recommends less than a year. */
const SECURITY_DAYS = 180

const TEXT = "text/plain; charset=utf-8"

/**
 * Returns `/robots.txt` (RFC 9309), which names the pages that need no account, and `/.well-known/security.txt` (RFC 9116), which
 * exists only where a setting says whom to write to, and the licenses of what a build contains.
 */
export function wellKnownRoutes(settings: WellKnownSettings): Route[] {
  const robots = (serve: Route["serve"], allowed: string): Route =>
    file("/robots.txt", serve, () => `User-agent: *\n${allowed}Disallow: /\n`)
  const contacts = contactsOf(settings)
  return [
    robots("api", ""),
    robots("console", publicPages()),
    file("/third-party-licenses.txt", "console", readLicenses),
    ...(contacts ? [file("/.well-known/security.txt", "both", () => securityText(settings, contacts))] : []),
  ]
}

/** Returns the rules that allow a crawler the pages for everybody. One that holds for no page below it ends in `$`. */
function publicPages(): string {
  const pages = PAGE_LIST.filter(({ access }) => access === "public").map(({ path }) => path)
  const ofReaders = pages.filter((path) => !/^\/(?:sign-in|outbox|share)/.test(path))
  const rules = ofReaders.map((path) => (path.endsWith("[slug]") ? path.replace("[slug]", "") : `${path}$`))
  return [...rules, "/llms.txt$", "/llms-full.txt$", "/_next/static/", "/icon.svg$", "/logo/"]
    .map((rule) => `Allow: ${rule}\n`)
    .join("")
}

function contactsOf({ SUPPORT_EMAIL, SUPPORT_URL }: WellKnownSettings): string {
  const contacts = [SUPPORT_EMAIL && `mailto:${SUPPORT_EMAIL}`, SUPPORT_URL].filter(Boolean)
  return contacts.map((contact) => `Contact: ${contact}\n`).join("")
}

function securityText({ BASE_URL, CONSOLE_URL }: WellKnownSettings, contacts: string): string {
  const expires = new Date(Date.now() + SECURITY_DAYS * 86_400_000)
  const addresses = [...new Set([CONSOLE_URL, BASE_URL])]
  const canonical = addresses.map((url) => `Canonical: ${url}/.well-known/security.txt\n`).join("")
  return `${contacts}Expires: ${expires.toISOString()}\n${canonical}Preferred-Languages: en\n`
}

/** Returns what the build wrote. Throws `not_found` while developing, when there is no build. */
async function readLicenses(): Promise<string> {
  return readFile("THIRD_PARTY_LICENSES.txt", "utf8").catch((error: NodeJS.ErrnoException) => {
    throw error.code === "ENOENT" ? new ServiceError("not_found") : error
  })
}

/** Returns the route of a text that is made for each request. */
function file(path: string, serve: Route["serve"], text: () => string | Promise<string>): Route {
  return {
    path,
    serve,
    method: "GET",
    handle: async (_request, response) => sendText(response, 200, TEXT, await text()),
  }
}
