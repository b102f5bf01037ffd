import fs from "node:fs/promises"
import path from "node:path"
import subsetFont from "subset-font"
import { main } from "./progress.mjs"
import { ROOT } from "./project.mjs"

const GEIST = path.join(ROOT, "node_modules/geist/dist/fonts")
export const FOLDER = path.join(ROOT, "app/fonts")
/** The fonts that every page loads, and the whole font of each. */
export const FONTS = {
  "geist-sans.woff2": path.join(GEIST, "geist-sans/Geist-Variable.woff2"),
  "geist-mono.woff2": path.join(GEIST, "geist-mono/GeistMono-Variable.woff2"),
}

/** ASCII, the letters of Western and Central Europe, and punctuation. `app/fonts/fonts.ts` has the whole fonts for other letters. */
const RANGES = [
  [0x20, 0x7e],
  [0xa0, 0x17f],
  [0x2010, 0x2026],
]
const OTHERS = "‹›−→←↑↓≤≥≈≠€⌘⌃⇧↵✓─"
/** What browsers apply by themselves, and digits of equal width. The other features need 10 kB of alternative letters. */
const FEATURES = ["ccmp", "locl", "kern", "liga", "calt", "tnum"]
/** From running text to strong text. */
const WEIGHTS = { min: 400, max: 700 }

const charactersOf = ([first, last]) =>
  Array.from({ length: last - first + 1 }, (_, index) => String.fromCodePoint(first + index)).join("")

/** Returns a font with the characters, features and weights that pages use. */
export async function subsetOf(file) {
  return subsetFont(await fs.readFile(file), RANGES.map(charactersOf).join("") + OTHERS, {
    targetFormat: "woff2",
    variationAxes: { wght: WEIGHTS },
    keepFeatures: FEATURES,
  })
}

async function writeFonts() {
  for (const [name, file] of Object.entries(FONTS)) await fs.writeFile(path.join(FOLDER, name), await subsetOf(file))
}

if (process.argv[1] === import.meta.filename) await main(writeFonts)
