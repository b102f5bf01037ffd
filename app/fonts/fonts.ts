import localFont from "next/font/local"

// The whole fonts weigh 140 kB. Every page loads a part of each, which `npm run fonts` makes. A browser loads the whole font only
// for a text with letters of `unicode-range`, such as Cyrillic ones.

const sans = localFont({ src: "./geist-sans.woff2", variable: "--font-sans-first", weight: "400 700" })
const mono = localFont({
  src: "./geist-mono.woff2",
  variable: "--font-mono-first",
  weight: "400 700",
  // A font for running text would replace it.
  adjustFontFallback: false,
})
const sansWhole = localFont({
  src: "../../node_modules/geist/dist/fonts/geist-sans/Geist-Variable.woff2",
  variable: "--font-sans-whole",
  weight: "100 900",
  preload: false,
  adjustFontFallback: false,
  declarations: [{ prop: "unicode-range", value: "U+0180-036F, U+0400-04FF, U+1E00-1EFF" }],
})
const monoWhole = localFont({
  src: "../../node_modules/geist/dist/fonts/geist-mono/GeistMono-Variable.woff2",
  variable: "--font-mono-whole",
  weight: "100 900",
  preload: false,
  adjustFontFallback: false,
  declarations: [{ prop: "unicode-range", value: "U+0180-036F, U+0400-04FF, U+1E00-1EFF" }],
})

/** The classes that define the fonts' variables, which `globals.css` reads. */
export const fontClasses = [sans, mono, sansWhole, monoWhole].map(({ variable }) => variable).join(" ")
