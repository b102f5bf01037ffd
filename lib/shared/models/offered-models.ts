/** A model that `operator model run` knows by a name. */
interface OfferedModel {
  name: string
  source: string
  /** Its size on disk, as text. */
  size: string
  license: string
  /** Null: its authors do not say. */
  languages: string | null
}

/** The models that this service runs itself and offers by name. Their authors state size and license. */
export const OFFERED_MODELS: readonly OfferedModel[] = [
  { name: "lev", source: "hf:ggml-org/lev-GGUF", size: "3 GB", license: "Apache-2.0", languages: null },
]
