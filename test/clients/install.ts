import path from "node:path"
import installSdks from "../install-sdks"
import { pythonPackagesOf } from "../python-packages"
import { LOCKS } from "./register"

/** Installs all packages of the register before the first test. Two test files must not install the same packages at once. */
export default async function setup() {
  const sdks = installSdks()
  for (const lock of LOCKS) await pythonPackagesOf(path.join("test/clients", lock))
  return sdks
}
