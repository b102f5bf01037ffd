/** A package of PyPI that speaks System One, and how it is pointed at this service. */
export interface ClientPackage {
  name: string
  version: string
  /** The variables that hold the address and the key, as its users set them. */
  address: string
  key: string
  /** What else its users set. */
  others?: Record<string, string>
  /** What `programs/NAME.py` prints with the built-in scorer. */
  prints: string
}

const TYPESAFE = { address: "TYPESAFE_BASE_URL", key: "TYPESAFE_API_KEY" }

/** The packages that are run by environment variables only. The page `sdks` of the docs lists them. */
export const CLIENTS: readonly ClientPackage[] = [
  { name: "typesafe-sdk", version: "0.7.5", ...TYPESAFE, prints: "0.91" },
  {
    name: "litellm",
    version: "1.108.7",
    address: "TYPESAFE_API_BASE",
    key: "TYPESAFE_API_KEY",
    prints: "0.91",
  },
]

/** Returns the table of the docs. */
export function clientsTable(): string {
  const code = (text: string) => `\`${text}\``
  const rows = CLIENTS.map(({ name, version, address, key, others = {} }) => {
    const set = [address, key, ...Object.entries(others).map(([variable, value]) => `${variable}=${value}`)]
    return `| ${code(name)} | ${version} | ${set.map(code).join(", ")} |`
  })
  return ["| Package | Version | Set |", "|---|---|---|", ...rows].join("\n")
}
