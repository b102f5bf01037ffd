/** Loaded before the code of the console's process. Every document then fails in the root layout, which alone reads the colours. */
const KEY = Symbol.for("svc.runtime")
let installed

const refuse = () => {
  throw new Error("The root layout failed")
}

if (process.argv[1]?.includes("console-process"))
  Object.defineProperty(globalThis, KEY, {
    get: () => installed,
    set: (runtime) => {
      installed = runtime
      if (runtime) runtime.env = Object.defineProperty({ ...runtime.env }, "accent", { get: refuse })
    },
  })
