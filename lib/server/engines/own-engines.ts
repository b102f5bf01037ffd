declare module "@/lib/server/platform/runtime" {
  interface Runtime {
    ownEngines: OwnEngines
  }
}

/** A model that this service runs itself. */
export interface OwnEngineAddress {
  socketPath: string
  /** `hf:OWNER/REPO@COMMIT:FILE`. Null for a file that is not known to be a hub's. */
  source: string | null
}

/** The models that this service runs itself, by id. Processes send and store it as entries. */
export type OwnEngineEntries = [modelId: string, address: OwnEngineAddress][]

/** What this process knows about the models that the service runs itself. Its server starts and stops them. */
export class OwnEngines {
  #addresses: ReadonlyMap<string, OwnEngineAddress>

  constructor(entries: OwnEngineEntries = []) {
    this.#addresses = new Map(entries)
  }

  /** Returns where a model runs. Null while it does not run on this machine. */
  find(modelId: string): OwnEngineAddress | null {
    return this.#addresses.get(modelId) ?? null
  }

  /** Replaces all entries. The next load of the catalogue connects to them. */
  replace(entries: OwnEngineEntries): void {
    this.#addresses = new Map(entries)
  }

  get entries(): OwnEngineEntries {
    return [...this.#addresses]
  }
}
