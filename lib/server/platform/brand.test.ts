import { writeFileSync } from "node:fs"
import path from "node:path"
import { wcagContrast } from "culori"
import { describe, expect, it } from "vitest"
import { tempFolder } from "@/test/temp-folder"
import { contrastFault } from "./accent"
import { readEnv } from "./env"
import { accentSheet, logoPath, readIssuer, readSite } from "./site"

const LIGHT = { page: "#fafaf9", sunken: "#f3f2f0", label: "#ffffff" }
const DARK = { page: "#0f1114", sunken: "#1c1e22", label: "#0b0f18" }

describe("the company's colours", () => {
  it.each([
    [{ SERVICE_COLOR: "blue" }, "SERVICE_COLOR must be a colour such as #244eb5"],
    [{ SERVICE_COLOR: "#ffd400" }, "SERVICE_COLOR has a contrast of 1.2 to 1 in the light theme and needs 4.5 to 1."],
    [
      { SERVICE_COLOR: "#7a1f3d", SERVICE_COLOR_DARK: "#7a1f3d" },
      "SERVICE_COLOR_DARK has a contrast of 1.6 to 1 in the dark theme and needs 4.5 to 1.",
    ],
    [{ SERVICE_COLOR_DARK: "#ffd400" }, "SERVICE_COLOR is required with SERVICE_COLOR_DARK"],
  ])("%o stops the start", (settings, message) => {
    expect(() => readEnv(settings)).toThrow(message)
  })

  it("the suggested colour passes", () => {
    const suggestion = /(#[0-9a-f]{6}) has it/.exec(contrastFault("#ffd400", "light") ?? "")?.[1] ?? ""
    expect(contrastFault(suggestion, "light")).toBeNull()
  })

  it.each(["#244eb5", "#7a1f3d", "#005f43", "#000000", "#6b4c00", "#5b2bd9"])(
    "every tone of %s is readable in both themes",
    (color) => {
      const { accent } = readEnv({ SERVICE_COLOR: color })
      for (const [tones, theme] of [
        [accent?.light, LIGHT],
        [accent?.dark, DARK],
      ] as const)
        for (const [text, ground] of [
          [tones?.accent, theme.page],
          [tones?.accent, theme.sunken],
          [tones?.accent, theme.label],
          [tones?.strong, theme.label],
          [tones?.strong, tones?.soft],
        ])
          expect(wcagContrast(text ?? "", ground ?? ""), `${text} on ${ground}`).toBeGreaterThanOrEqual(4.5)
    },
  )

  it("replace the tokens of the style sheet", () => {
    expect(accentSheet({ env: readEnv({}) })).toBeNull()
    expect(accentSheet({ env: readEnv({ SERVICE_COLOR: "#7a1f3d" }) })).toMatch(
      /^:root:root\{--color-accent:light-dark\(#7a1f3d,#[0-9a-f]{6}\);/,
    )
  })
})

describe("name, logo, contact and legal pages", () => {
  it("are the built-in ones without settings", () => {
    expect(readSite({ env: readEnv({}) })).toEqual({
      name: "Decision service",
      logoUrl: null,
      support: { email: null, url: null },
      legal: [],
    })
  })

  it("come from the settings", () => {
    const logo = path.join(tempFolder(), "logo.svg")
    writeFileSync(logo, "<svg xmlns='http://www.w3.org/2000/svg'/>")
    const env = readEnv({
      SERVICE_NAME: "Acme Decisions",
      SERVICE_LOGO: logo,
      SUPPORT_EMAIL: "help@acme.example",
      SUPPORT_URL: "https://acme.example/help",
      TERMS_URL: "https://acme.example/terms",
      LEGAL_NOTICE_URL: "https://acme.example/imprint",
    })
    expect(readSite({ env })).toEqual({
      name: "Acme Decisions",
      logoUrl: "/logo/a87cba1d08bc5397.svg",
      support: { email: "help@acme.example", url: "https://acme.example/help" },
      legal: [
        { label: "Terms", href: "https://acme.example/terms" },
        { label: "Legal notice", href: "https://acme.example/imprint" },
      ],
    })
    expect(env.SERVICE_LOGO && logoPath(env.SERVICE_LOGO)).toBe("/logo/a87cba1d08bc5397.svg")
    expect(env.EMAIL_FROM).toBe('"Acme Decisions" <no-reply@localhost>')
  })

  it("name the issuer of statements, with lines in its address", () => {
    const settings = {
      SERVICE_NAME: "Acme",
      SERVICE_ADDRESS: "Acme GmbH\\nRoad 1\n12345 Berlin",
      SERVICE_VAT_ID: "DE1",
    }
    expect(readIssuer({ env: readEnv(settings) })).toEqual({
      name: "Acme",
      address: "Acme GmbH\nRoad 1\n12345 Berlin",
      vatId: "DE1",
    })
    expect(readIssuer({ env: readEnv({}) })).toEqual({ name: "Decision service", address: "", vatId: "" })
  })

  it.each([
    [{ SERVICE_NAME: "x".repeat(41) }, "SERVICE_NAME must have 40 characters or fewer"],
    [{ SERVICE_ADDRESS: "x".repeat(401) }, "SERVICE_ADDRESS must have 400 characters or fewer"],
    [{ SERVICE_VAT_ID: "x".repeat(41) }, "SERVICE_VAT_ID must have 40 characters or fewer"],
    [{ SERVICE_LOGO: "logo.gif" }, "SERVICE_LOGO must be an .svg or .png file"],
    [{ SERVICE_LOGO: "/none/logo.png" }, "SERVICE_LOGO must be a file that can be read"],
    [{ SUPPORT_EMAIL: "help" }, "SUPPORT_EMAIL must be an e-mail address"],
    [{ SUPPORT_URL: "javascript:alert(1)" }, "SUPPORT_URL must be an http or https URL"],
    [{ TERMS_URL: "acme.example" }, "TERMS_URL must be an http or https URL"],
  ])("%o stops the start", (settings, message) => {
    expect(() => readEnv(settings)).toThrow(message)
  })
})
