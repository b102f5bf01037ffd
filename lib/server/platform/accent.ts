import { converter, formatHex, type Oklch, wcagContrast } from "culori"

/** The accent of both themes, as the values of the tokens in `app/globals.css`. Colours are `#rrggbb`. */
export interface Accent {
  light: AccentTones
  dark: AccentTones
}

interface AccentTones {
  accent: string
  strong: string
  soft: string
}

interface Theme {
  /** `--sunken`. Accents have more contrast on every other background, and as a button under its label. */
  background: string
  /** How much a step changes a colour's lightness until it is readable: darker in the light theme, lighter in the dark one. */
  step: number
  strong: { lightness: number; chroma: number }
  soft: { lightness: number; chroma: number }
}

const MIN_CONTRAST = 4.5
const THEMES = {
  light: {
    background: "#f3f2f0",
    step: -0.005,
    strong: { lightness: -0.07, chroma: 0.95 },
    soft: { lightness: 0.945, chroma: 0.022 },
  },
  dark: {
    background: "#1c1e22",
    step: 0.005,
    strong: { lightness: 0.08, chroma: 0.7 },
    soft: { lightness: 0.285, chroma: 0.045 },
  },
} as const satisfies Record<string, Theme>

const toOklch = converter("oklch")
const oklchOf = (hex: string): Oklch => toOklch(hex) ?? { mode: "oklch", l: 0, c: 0 }
const contrastOf = (hex: string, { background }: Theme): number => wcagContrast(hex, background)

/** Returns the nearest tone of a colour that is readable in a theme. */
function readable(hex: string, theme: Theme): string {
  const color = oklchOf(hex)
  let tone = hex
  while (contrastOf(tone, theme) < MIN_CONTRAST) {
    color.l += theme.step
    tone = formatHex(color)
  }
  return tone
}

function tonesOf(accent: string, { strong, soft }: Theme): AccentTones {
  const { l, c, h } = oklchOf(accent)
  const tone = (lightness: number, chroma: number) => formatHex({ mode: "oklch", l: lightness, c: chroma, h })
  return {
    accent,
    strong: tone(Math.min(0.97, l + strong.lightness), c * strong.chroma),
    soft: tone(soft.lightness, Math.min(c, soft.chroma)),
  }
}

/**
 * Returns why text in this colour is hard to read in a theme, and names the nearest readable colour. Null when the contrast is at
 * least 4.5 to 1.
 */
export function contrastFault(hex: string, theme: keyof typeof THEMES): string | null {
  const contrast = contrastOf(hex, THEMES[theme])
  if (contrast >= MIN_CONTRAST) return null
  const found = (Math.floor(contrast * 10) / 10).toFixed(1)
  return `has a contrast of ${found} to 1 in the ${theme} theme and needs ${MIN_CONTRAST} to 1. ${readable(hex, THEMES[theme])} has it`
}

/** Returns the accent of a company's colour. Without a colour for the dark theme, lightens the other until it is readable there. */
export const accentOf = (light: string, dark?: string): Accent => ({
  light: tonesOf(light, THEMES.light),
  dark: tonesOf(dark ?? readable(light, THEMES.dark), THEMES.dark),
})
