import { z } from "zod"

/** The languages of the snippets; the reader's choice is kept in a cookie, so that every page opens in it. */
export const SnippetLanguage = z.enum(["bash", "typescript", "python"]).catch("bash")
export type SnippetLanguage = z.infer<typeof SnippetLanguage>

export const LANGUAGE_COOKIE = "docs_language"
