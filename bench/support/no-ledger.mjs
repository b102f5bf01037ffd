/**
 * Loaded before a server (`node --import`), it replaces the server's ledger by one that answers at once and writes nothing.
 * Such a server does everything else that a paid request needs, so the difference is what accounting costs.
 */
const KEY = Symbol.for("svc.runtime")
const answering = (answer) => ({ submit: async () => answer })

let installed
Object.defineProperty(globalThis, KEY, {
  get: () => installed,
  set(runtime) {
    if (runtime) {
      runtime.grants.draw = () => false
      runtime.holds = answering({ outcome: "held" })
      runtime.captures = answering("captured")
      runtime.releases = answering("voided")
    }
    installed = runtime
  },
})
