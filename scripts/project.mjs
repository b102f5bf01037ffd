import "./require-machine.mjs"
import path from "node:path"

/** The folder that holds package.json. */
export const ROOT = path.dirname(import.meta.dirname)

/** The folder of the server's bundles and of these scripts' stamps. */
export const DIST = path.join(ROOT, "dist")

export const bin = (name) => path.join(ROOT, "node_modules/.bin", name)
