import path from "node:path"

/** The folder of package.json. */
export const ROOT = path.dirname(import.meta.dirname)

/** Where `build.mjs` puts its bundles, and what these scripts note about them. */
export const DIST = path.join(ROOT, "dist")

/** A program that npm installed. */
export const bin = (name) => path.join(ROOT, "node_modules/.bin", name)
