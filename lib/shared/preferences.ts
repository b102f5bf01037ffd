/** Preferences live in cookies, so the server renders every page with them. Unknown values fall back to the default. */

const THEMES = ["system", "light", "dark"] as const
export type Theme = (typeof THEMES)[number]
/** Scripts set it. The cookie `theme` of an earlier release was for the server only, so a script could not replace it. */
export const THEME_COOKIE = "color_theme"

/** Returns the theme that a cookie or a form names. */
export const themeOf = (value: unknown): Theme => THEMES.find((theme) => theme === value) ?? "system"

const SNIPPET_LANGUAGES = ["bash", "typescript", "python", "go"] as const
export type SnippetLanguage = (typeof SNIPPET_LANGUAGES)[number]
export const LANGUAGE_COOKIE = "docs_language"

/** Returns the language of code that a cookie or a code block names. */
export const snippetLanguageOf = (value: unknown): SnippetLanguage =>
  SNIPPET_LANGUAGES.find((language) => language === value) ?? "bash"

/** Returns whether a browser with this `User-Agent` runs on a device whose shortcuts use ⌘. */
export const isAppleAgent = (userAgent: string | null): boolean => /Mac OS X|Macintosh/.test(userAgent ?? "")
