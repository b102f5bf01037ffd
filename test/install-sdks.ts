import { installSdks } from "./sdks"

/** Begins to install the clients and Node releases. Tests that need them wait until it ends (`run-snippet.ts`). */
export default function setup() {
  const sdks = installSdks()
  // After a failed installation, the tests that wait for it fail with its error, and the end of the run throws it.
  sdks.catch(() => {})
  return () => sdks
}
