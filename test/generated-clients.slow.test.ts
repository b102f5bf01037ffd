import { execFile } from "node:child_process"
import { existsSync } from "node:fs"
import { copyFile, symlink, writeFile } from "node:fs/promises"
import path from "node:path"
import { promisify } from "node:util"
import { beforeAll, expect, test } from "vitest"
import { insertFastKey } from "./insert-rows"
import { SDK_MODULES, sdksInstalled } from "./sdks"
import { type TestService, testService } from "./service"
import { tempFolder } from "./temp-folder"

/** Under a folder that Git ignores and that `npm ci` empties. */
const VENV = path.resolve("node_modules/.cache/generated-client-python")
const PACKAGES = ["openapi-python-client==0.29.1", "httpx==0.28.1", "mypy==2.4.1"]
const DOCUMENT = path.resolve("public/openapi.json")

/** Runs a program and returns what it prints. Rejects with all that it printed. */
async function run(file: string, args: string[], options: { cwd?: string; env?: Record<string, string> } = {}) {
  const env = { ...process.env, ...options.env }
  try {
    return (await promisify(execFile)(file, args, { ...options, env, timeout: 300_000 })).stdout.trim()
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT")
      throw new Error(`${file} is missing. Install the Debian packages python3 and python3-venv`, { cause: error })
    const { stdout = "", stderr = "" } = error as { stdout?: string; stderr?: string }
    throw new Error(`${path.basename(file)} failed: ${stdout}${stderr}`, { cause: error })
  }
}

const program = (name: string) => path.join(VENV, "bin", name)

let service: TestService
let token: string
beforeAll(async () => {
  service = await testService()
  token = (await insertFastKey()).token
})

const EXPECTED = "noul choice score"

test("openapi-python-client generates a client whose right uses pass mypy, whose wrong uses do not, and that decides", async () => {
  if (!existsSync(program("mypy"))) {
    await run("python3", ["-m", "venv", VENV])
    await run(program("pip"), ["install", "--quiet", "--disable-pip-version-check", ...PACKAGES])
  }
  const folder = tempFolder()
  const config = path.join(folder, "config.yml")
  await writeFile(config, "post_hooks: []\n")
  const generated = path.join(folder, "client")
  const printed = await run(program("openapi-python-client"), [
    ...["generate", "--path", DOCUMENT, "--output-path", generated, "--config", config, "--fail-on-warning"],
  ])
  expect(printed).not.toContain("Warning")
  await copyFile("test/clients/generated_client.py", path.join(generated, "uses.py"))
  // The generator itself writes casts that change nothing.
  const strict = ["--strict", "--no-warn-redundant-casts"]
  const checked = await run(program("mypy"), [...strict, "uses.py"], { cwd: generated })
  expect(checked).toContain("no issues found in 1 source file")
  expect(await run(program("python"), ["uses.py", service.url, token], { cwd: generated })).toBe(
    `${EXPECTED} True invalid_model alias`,
  )
}, 400_000)

test("openapi-typescript generates types whose right uses compile, whose wrong uses do not, and that decide", async () => {
  await sdksInstalled()
  const folder = tempFolder()
  await symlink(SDK_MODULES, path.join(folder, "node_modules"))
  await run(path.join(SDK_MODULES, ".bin/openapi-typescript"), [DOCUMENT, "-o", path.join(folder, "schema.d.ts")])
  const uses = path.join(folder, "uses.mts")
  await copyFile("test/clients/generated-client.ts.txt", uses)
  const options = ["--strict", "--noEmit", "--skipLibCheck", "--module", "esnext", "--moduleResolution", "bundler"]
  const types = ["--target", "es2022", "--typeRoots", path.resolve("node_modules/@types"), "--types", "node"]
  await run(path.resolve("node_modules/.bin/tsc"), [...options, ...types, uses], { cwd: folder })
  expect(await run(path.resolve("node_modules/.bin/tsx"), [uses, service.url, token], { cwd: folder })).toBe(
    `${EXPECTED} true invalid_model alias`,
  )
})
