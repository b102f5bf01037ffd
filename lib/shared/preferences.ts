import { z } from "zod"

/** Preferences live in cookies, so the server renders every page with them. Unknown values fall back to the default. */

export const Theme = z.enum(["system", "light", "dark"]).catch("system")
export type Theme = z.infer<typeof Theme>
export const THEME_COOKIE = "theme"

export const SnippetLanguage = z.enum(["bash", "typescript", "python", "go"]).catch("bash")
export type SnippetLanguage = z.infer<typeof SnippetLanguage>
export const LANGUAGE_COOKIE = "docs_language"

/** Returns whether a browser with this `User-Agent` runs on a device whose shortcuts use ⌘. */
export const isAppleAgent = (userAgent: string | null): boolean => /Mac OS X|Macintosh/.test(userAgent ?? "")
