import { cache } from "react"
import { readGuide } from "@/lib/server/docs/guide"

/** Reads the docs once for all parts of a page. */
export const readGuideOnce = cache(() => readGuide())
